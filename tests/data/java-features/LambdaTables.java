import java.util.Map;
import java.util.TreeMap;

/** Lambdas handed to a map: merge, computeIfAbsent and forEach. */
public class LambdaTables extends Kernel {
  int n; int[] a; long total;
  public void setup(int n) { this.n = n; a = rnd(n, 300, 12); }
  public double run() {
    Map<Integer, Long> sums = new TreeMap<>();
    Map<Integer, int[]> last = new TreeMap<>();
    for (int i = 0; i < n; i++) {
      sums.merge(a[i], (long) i, (x, y) -> x + y);
      last.computeIfAbsent(a[i] % 32, k -> new int[4])[i & 3] = i;
    }
    total = 0;
    sums.forEach((k, v) -> total += k ^ v);
    return total + last.size();
  }
}
