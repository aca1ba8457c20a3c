import java.util.*;
public class K_bubble extends Kernel {
  int n;
  int[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new int[n]; b = new int[n]; c = new int[n]; for (int i = 0; i < n; i++) { a[i] = r.nextInt(1000); b[i] = r.nextInt(1000) + 1; c[i] = i; }
  }
  public double run() {
    int[] x = a.clone(); for (int i = 0; i < n; i++) for (int j = 0; j + 1 < n - i; j++) if (x[j] > x[j + 1]) { int t = x[j]; x[j] = x[j + 1]; x[j + 1] = t; } return x[0];
  }
}
