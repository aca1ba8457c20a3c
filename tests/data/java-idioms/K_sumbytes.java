import java.util.*;
public class K_sumbytes extends Kernel {
  int n;
  byte[] a;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new byte[n]; r.nextBytes(a);
  }
  public double run() {
    int s = 0; for (int i = 0; i < n; i++) s += a[i] & 0xff; return s;
  }
}
