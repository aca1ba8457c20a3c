import java.util.*;
public class K_any extends Kernel {
  int n;
  int[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new int[n]; b = new int[n]; c = new int[n]; for (int i = 0; i < n; i++) { a[i] = (int) (r.nextInt(100) + 1); b[i] = (int) (r.nextInt(100) + 1); }
  }
  public double run() {
    boolean f = false; for (int i = 0; i < n; i++) f |= a[i] == 1000; return f ? 1 : 0;
  }
}
