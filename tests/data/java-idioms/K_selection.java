import java.util.*;
public class K_selection extends Kernel {
  int n;
  int[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new int[n]; b = new int[n]; c = new int[n]; for (int i = 0; i < n; i++) { a[i] = r.nextInt(1000); b[i] = r.nextInt(1000) + 1; c[i] = i; }
  }
  public double run() {
    int[] x = a.clone(); for (int i = 0; i < n - 1; i++) { int m = i; for (int j = i + 1; j < n; j++) if (x[j] < x[m]) m = j; int t = x[i]; x[i] = x[m]; x[m] = t; } return x[0];
  }
}
