import java.util.*;
public class MemoStrings extends Kernel {
  Map<String, Long> memo = new HashMap<>(); int n; public void setup(int n) { this.n = n; }
  long ways(int a, int b) { if (a == 0 || b == 0) return 1; String k = a + "," + b; Long v = memo.get(k); if (v != null) return v; long r = (ways(a - 1, b) + ways(a, b - 1)) % 1_000_007; memo.put(k, r); return r; }
  public double run() { memo.clear(); return ways(n, n); }
}
