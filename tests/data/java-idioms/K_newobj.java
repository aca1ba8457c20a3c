import java.util.*;
public class K_newobj extends Kernel {
  int n;
  double[] a;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new double[n];
  }
  public double run() {
    double s = 0; for (int i = 0; i < n; i++) { Box x = new Box(i, 2); s += x.v; } return s;
  }
  static class Box { int v, w; Box(int v, int w) { this.v = v; this.w = w; } }
}
