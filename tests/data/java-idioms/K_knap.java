import java.util.*;
public class K_knap extends Kernel {
  int n;
  int[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new int[n]; b = new int[n]; c = new int[n]; for (int i = 0; i < n; i++) { a[i] = r.nextInt(1000); b[i] = r.nextInt(1000) + 1; c[i] = i; }
  }
  public double run() {
    int[] d = new int[1001]; for (int i = 0; i < n; i++) for (int w = 1000; w >= b[i]; w--) d[w] = Math.max(d[w], d[w - b[i]] + a[i]); return d[1000];
  }
}
