/** Copy with an addition through large arrays. */
public class CopyLarge extends Kernel {
  int n;
  long[] from, to;

  public void setup(int n) {
    this.n = n;
    from = new long[n];
    to = new long[n];
    for (int i = 0; i < n; i++) {
      from[i] = i;
    }
  }

  public double run() {
    for (int i = 0; i < n; i++) {
      to[i] = from[i] + 5L;
    }
    return to[n / 2];
  }
}
