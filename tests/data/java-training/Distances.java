/** Great-circle distances between neighbours. */
public class Distances extends Kernel {
  int n;
  double[] latitude, longitude;

  public void setup(int n) {
    this.n = n;
    latitude = rndd(n, 61);
    longitude = rndd(n, 62);
  }

  public double run() {
    double s = 0;
    for (int i = 1; i < n; i++) {
      double a = Math.sin(latitude[i]) * Math.sin(latitude[i - 1]);
      double b = Math.cos(latitude[i]) * Math.cos(latitude[i - 1]) * Math.cos(longitude[i] - longitude[i - 1]);
      s += Math.acos(Math.min(1.0, a + b));
    }
    return s;
  }
}
