import java.util.HashMap;
import java.util.Map;

/** Steps of the Collatz sequence, remembered in a map of boxed numbers. */
public class BoxedMemo extends Kernel {
  int n; Map<Long, Integer> memo;
  public void setup(int n) { this.n = n; }
  int steps(long k) {
    if (k == 1) return 0;
    Integer before = memo.get(k);
    if (before != null) return before;
    int s = 1 + steps(k % 2 == 0 ? k / 2 : 3 * k + 1);
    memo.put(k, s);
    return s;
  }
  public double run() {
    memo = new HashMap<>();
    int most = 0;
    for (int i = 1; i <= n; i++) { int s = steps(i); if (s > most) most = s; }
    return most;
  }
}
