import java.util.*;
public class K_boolor extends Kernel {
  int n;
  boolean[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new boolean[n]; b = new boolean[n]; c = new boolean[n]; for (int i = 0; i < n; i++) { a[i] = r.nextBoolean(); b[i] = r.nextBoolean(); }
  }
  public double run() {
    for (int i = 0; i < n; i++) c[i] = a[i] | b[i]; return c[3] ? 1 : 0;
  }
}
