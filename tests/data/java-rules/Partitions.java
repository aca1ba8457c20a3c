public class Partitions extends Kernel {
  int n;

  public void setup(int n) {
    this.n = n;
  }

  public double run() {
    return parts(n, n);
  }

  static int parts(int n, int most) {
    if (n == 0) return 1;
    int total = 0;
    for (int k = Math.min(n, most); k >= 1; k--) total += parts(n - k, k);
    return total;
  }
}
