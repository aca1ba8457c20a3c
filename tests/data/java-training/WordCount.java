/** Words and letters of a text in an array of characters. */
public class WordCount extends Kernel {
  int n;
  char[] text;

  public void setup(int n) {
    this.n = n;
    text = new char[n];
    int[] r = rnd(n, 32, 3);
    for (int i = 0; i < n; i++) {
      text[i] = r[i] < 6 ? ' ' : (char) ('a' + r[i] % 26);
    }
  }

  public double run() {
    int words = 0, letters = 0;
    boolean inside = false;
    for (int i = 0; i < n; i++) {
      char c = text[i];
      if (c == ' ') {
        inside = false;
      } else {
        letters++;
        if (!inside) {
          words++;
          inside = true;
        }
      }
    }
    return 1000.0 * words + letters;
  }
}
