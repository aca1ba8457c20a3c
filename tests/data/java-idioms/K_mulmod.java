import java.util.*;
public class K_mulmod extends Kernel {
  int n;
  long[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new long[n]; b = new long[n]; c = new long[n]; for (int i = 0; i < n; i++) { a[i] = (long) (r.nextInt(100) + 1); b[i] = (long) (r.nextInt(100) + 1); }
  }
  public double run() {
    long p = 1; for (int i = 0; i < n; i++) p = p * a[i] % 1000007; return p;
  }
}
