import java.util.*;
public class K_muls extends Kernel {
  int n;
  short[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new short[n]; b = new short[n]; c = new short[n]; for (int i = 0; i < n; i++) { a[i] = (short) (r.nextInt(100) + 1); b[i] = (short) (r.nextInt(100) + 1); }
  }
  public double run() {
    for (int i = 0; i < n; i++) c[i] = (short) (a[i] * b[i]); return c[3];
  }
}
