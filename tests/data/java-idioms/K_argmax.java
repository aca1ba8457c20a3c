import java.util.*;
public class K_argmax extends Kernel {
  int n;
  int[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new int[n]; b = new int[n]; c = new int[n]; for (int i = 0; i < n; i++) { a[i] = r.nextInt(1000); b[i] = r.nextInt(1000) + 1; c[i] = i; }
  }
  public double run() {
    int m = 0; for (int i = 1; i < n; i++) if (a[i] > a[m]) m = i; return m;
  }
}
