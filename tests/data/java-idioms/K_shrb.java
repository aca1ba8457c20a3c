import java.util.*;
public class K_shrb extends Kernel {
  int n;
  byte[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new byte[n]; b = new byte[n]; c = new byte[n]; for (int i = 0; i < n; i++) { a[i] = (byte) (r.nextInt(100) + 1); b[i] = (byte) (r.nextInt(100) + 1); }
  }
  public double run() {
    for (int i = 0; i < n; i++) c[i] = (byte) (a[i] >> 2); return c[3];
  }
}
