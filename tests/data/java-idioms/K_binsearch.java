import java.util.*;
public class K_binsearch extends Kernel {
  int n;
  int[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new int[n]; b = new int[n]; c = new int[n]; for (int i = 0; i < n; i++) { a[i] = r.nextInt(1000); b[i] = r.nextInt(1000) + 1; c[i] = i; }
  }
  public double run() {
    int s = 0; for (int q = 0; q < 1000; q++) { int lo = 0, hi = n - 1, key = (q * 7919) % n; while (lo <= hi) { int mid = (lo + hi) >>> 1; if (c[mid] < key) lo = mid + 1; else if (c[mid] > key) hi = mid - 1; else { s += mid; break; } } } return s;
  }
}
