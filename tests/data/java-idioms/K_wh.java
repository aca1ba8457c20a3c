import java.util.*;
public class K_wh extends Kernel {
  int n;
  int[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new int[n]; b = new int[n]; c = new int[n]; for (int i = 0; i < n; i++) { a[i] = (int) (r.nextInt(100) + 1); b[i] = (int) (r.nextInt(100) + 1); }
  }
  public double run() {
    int i = 0, s = 0; while (i < n) { s += a[i] * b[i]; i++; } return s;
  }
}
