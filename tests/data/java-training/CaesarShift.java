/** Letters moved on by a key, other characters kept. */
public class CaesarShift extends Kernel {
  int n;
  char[] from, to;

  public void setup(int n) {
    this.n = n;
    from = new char[n];
    to = new char[n];
    int[] r = rnd(n, 64, 2);
    for (int i = 0; i < n; i++) {
      from[i] = (char) (65 + r[i]);
    }
  }

  public double run() {
    int key = 7;
    for (int i = 0; i < n; i++) {
      char c = from[i];
      if (c >= 'a' && c <= 'z') {
        c = (char) ((c - 'a' + key) % 26 + 'a');
      } else if (c >= 'A' && c <= 'Z') {
        c = (char) ((c - 'A' + key) % 26 + 'A');
      }
      to[i] = c;
    }
    return to[n / 2];
  }
}
