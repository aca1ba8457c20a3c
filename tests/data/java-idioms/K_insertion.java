import java.util.*;
public class K_insertion extends Kernel {
  int n;
  int[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new int[n]; b = new int[n]; c = new int[n]; for (int i = 0; i < n; i++) { a[i] = r.nextInt(1000); b[i] = r.nextInt(1000) + 1; c[i] = i; }
  }
  public double run() {
    int[] x = a.clone(); for (int i = 1; i < n; i++) { int v = x[i], j = i - 1; while (j >= 0 && x[j] > v) { x[j + 1] = x[j]; j--; } x[j + 1] = v; } return x[0];
  }
}
