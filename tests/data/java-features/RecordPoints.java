/** Records with a compact constructor and methods. */
public class RecordPoints extends Kernel {
  record Point(double x, double y) {
    Point { if (x != x) throw new IllegalArgumentException("x"); }
    Point plus(Point o) { return new Point(x + o.x, y + o.y()); }
    double norm() { return Math.sqrt(x * x + y * y); }
  }
  int n; Point[] points;
  public void setup(int n) {
    this.n = n; double[] xs = rndd(n, 1); points = new Point[n];
    for (int i = 0; i < n; i++) points[i] = new Point(xs[i], 1 - xs[i]);
  }
  public double run() {
    Point sum = new Point(0, 0);
    double longest = 0;
    for (Point p : points) { sum = sum.plus(p); if (p.norm() > longest) longest = p.norm(); }
    return sum.norm() + longest;
  }
}
