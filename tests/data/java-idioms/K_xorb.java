import java.util.*;
public class K_xorb extends Kernel {
  int n;
  byte[] a, b;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new byte[n]; r.nextBytes(a); b = new byte[n]; r.nextBytes(b);
  }
  public double run() {
    for (int i = 0; i < n; i++) a[i] ^= b[i]; return a[3];
  }
}
