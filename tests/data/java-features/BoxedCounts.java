import java.util.ArrayList;
import java.util.List;

/** Boxed numbers in a list, added in an overload that takes them unboxed. */
public class BoxedCounts extends Kernel {
  static long mixed(long a, int b) { return a * 31 + b; }
  static long mixed(long a, Object b) { return a ^ b.hashCode(); }
  int n; List<Integer> values; List<Long> sums;
  public void setup(int n) {
    this.n = n; values = new ArrayList<>();
    for (int i = 0; i < n; i++) values.add(i * 37 % 1000);
  }
  public double run() {
    sums = new ArrayList<>();
    long s = 0;
    for (int i = 0; i < n; i++) { s = mixed(s, values.get(i).intValue()); if ((s & 15) == 0) sums.add(s); }
    Long most = 0L;
    for (Long one : sums) if (one > most) most = one;
    return s + most;
  }
}
