public class Shapes extends Kernel {
  Shape[] all;
  int n;

  public void setup(int n) {
    this.n = n;
    all = new Shape[n];
    int[] r = rnd(n, 3, 15);
    for (int i = 0; i < n; i++) all[i] = r[i] == 0 ? new Square(i) : r[i] == 1 ? new Disc(i) : new Bar(i, 2);
  }

  public double run() {
    double s = 0;
    for (Shape one : all) s += one.area();
    return s;
  }

  interface Shape {
    double area();
  }

  static class Square implements Shape {
    final double a;

    Square(double a) {
      this.a = a;
    }

    public double area() {
      return a * a;
    }
  }

  static class Disc implements Shape {
    final double r;

    Disc(double r) {
      this.r = r;
    }

    public double area() {
      return 3.14159 * r * r;
    }
  }

  static class Bar implements Shape {
    final double a, b;

    Bar(double a, double b) {
      this.a = a;
      this.b = b;
    }

    public double area() {
      return a * b;
    }
  }
}
