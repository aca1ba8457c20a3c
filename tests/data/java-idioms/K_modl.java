import java.util.*;
public class K_modl extends Kernel {
  int n;
  long[] a;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new long[n]; for (int i = 0; i < n; i++) a[i] = r.nextInt(1000000);
  }
  public double run() {
    long s = 1; for (int i = 0; i < n; i++) s = (s * 31 + a[i]) % 1000000007L; return s;
  }
}
