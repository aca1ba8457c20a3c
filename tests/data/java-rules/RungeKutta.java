public class RungeKutta extends Kernel {
  int n;

  public void setup(int n) {
    this.n = n;
  }

  public double run() {
    double x = 1, v = 0, h = 0.001;
    for (int i = 0; i < n; i++) {
      double k1 = -x, k2 = -(x + 0.5 * h * v), k3 = -(x + 0.5 * h * (v + 0.5 * h * k1));
      double k4 = -(x + h * (v + 0.5 * h * k2));
      x += h * v + h * h / 6 * (k1 + k2 + k3);
      v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return x + v;
  }
}
