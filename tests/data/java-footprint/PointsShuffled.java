/** Fields of objects that an array lists in any order. */
public class PointsShuffled extends Kernel {
  static class Point { final double x, y; Point(double x, double y) { this.x = x; this.y = y; } }
  Point[] points;
  public void setup(int n) {
    double[] xs = rndd(n, 1), ys = rndd(n, 2);
    points = new Point[n];
    for (int i = 0; i < n; i++) points[i] = new Point(xs[i], ys[i]);
    java.util.Collections.shuffle(java.util.Arrays.asList(points), new java.util.Random(3));
  }
  public double run() {
    double s = 0;
    for (int i = 0; i < points.length; i++) { Point p = points[i]; s += p.x * p.y; }
    return s;
  }
}
