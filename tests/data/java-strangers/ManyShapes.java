public class ManyShapes extends Kernel {
  interface Shape { double area(); default double twice() { return 2 * area(); } static Shape of(int k, double s) { return switch (k) { case 0 -> new Circle(s); case 1 -> new Square(s); default -> new Tri(s, s); }; } }
  record Circle(double r) implements Shape { public double area() { return Math.PI * r * r; } }
  record Square(double a) implements Shape { public double area() { return a * a; } @Override public double twice() { return 2 * a * a; } }
  record Tri(double a, double h) implements Shape { public double area() { return a * h / 2; } }
  Shape[] s; public void setup(int n) { s = new Shape[n]; int[] k = rnd(n, 3, 1); double[] d = rndd(n, 2); for (int i = 0; i < n; i++) s[i] = Shape.of(k[i], d[i]); }
  public double run() { double t = 0; for (Shape x : s) t += x.twice(); return t; }
}
