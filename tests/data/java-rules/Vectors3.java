public class Vectors3 extends Kernel {
  double[] xs;
  int n;

  public void setup(int n) {
    this.n = n;
    xs = rndd(n, 16);
  }

  public double run() {
    Vec sum = new Vec(0, 0, 0);
    for (int i = 0; i + 2 < n; i++) sum = sum.plus(new Vec(xs[i], xs[i + 1], xs[i + 2]).times(0.5));
    return sum.dot(sum);
  }

  static final class Vec {
    final double x, y, z;

    Vec(double x, double y, double z) {
      this.x = x;
      this.y = y;
      this.z = z;
    }

    Vec plus(Vec o) {
      return new Vec(x + o.x, y + o.y, z + o.z);
    }

    Vec times(double k) {
      return new Vec(k * x, k * y, k * z);
    }

    double dot(Vec o) {
      return x * o.x + y * o.y + z * o.z;
    }
  }
}
