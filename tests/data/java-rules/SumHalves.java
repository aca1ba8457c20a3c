public class SumHalves extends Kernel {
  double[] a;

  public void setup(int n) {
    a = rndd(n, 36);
  }

  public double run() {
    return sum(0, a.length);
  }

  double sum(int low, int high) {
    if (high - low <= 16) {
      double s = 0;
      for (int i = low; i < high; i++) s += a[i] * a[i];
      return s;
    }
    int middle = (low + high) >>> 1;
    return sum(low, middle) + sum(middle, high);
  }
}
