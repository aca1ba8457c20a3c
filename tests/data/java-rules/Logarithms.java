public class Logarithms extends Kernel {
  double[] a;
  int n;

  public void setup(int n) {
    this.n = n;
    a = rndd(n, 6);
  }

  public double run() {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i] * Math.log(a[i]) + Math.sin(a[i] * 3);
    return s;
  }
}
