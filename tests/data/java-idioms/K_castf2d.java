import java.util.*;
public class K_castf2d extends Kernel {
  int n;
  float[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new float[n]; b = new float[n]; c = new float[n]; for (int i = 0; i < n; i++) { a[i] = (float) (r.nextInt(100) + 1); b[i] = (float) (r.nextInt(100) + 1); }
  }
  public double run() {
    double s = 0; for (int i = 0; i < n; i++) s += a[i]; return s;
  }
}
