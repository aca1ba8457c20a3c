public class FixedPoint extends Kernel {
  int n;

  public void setup(int n) {
    this.n = n;
  }

  public double run() {
    int x = 12345;
    long sum = 0;
    for (int i = 0; i < n; i++) {
      x = (int) (((long) x * 48271) % 2147483647L);
      sum += x >>> 7;
    }
    return sum;
  }
}
