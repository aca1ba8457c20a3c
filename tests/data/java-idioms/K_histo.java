import java.util.*;
public class K_histo extends Kernel {
  int n;
  byte[] a; int[] h;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new byte[n]; r.nextBytes(a); h = new int[256];
  }
  public double run() {
    for (int i = 0; i < n; i++) h[a[i] & 0xff]++; return h[3];
  }
}
