/** Mean of nine neighbours of a picture in one array. */
public class Blur extends Kernel {
  int n;
  int[] from, to;

  public void setup(int n) {
    this.n = n;
    from = rnd(n * n, 256, 6);
    to = new int[n * n];
  }

  public double run() {
    for (int y = 1; y < n - 1; y++) {
      for (int x = 1; x < n - 1; x++) {
        int s = 0;
        for (int dy = -1; dy <= 1; dy++) {
          for (int dx = -1; dx <= 1; dx++) {
            s += from[(y + dy) * n + x + dx];
          }
        }
        to[y * n + x] = s / 9;
      }
    }
    return to[n * n / 2];
  }
}
