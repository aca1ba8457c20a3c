import java.util.*;
public class OptionalChains extends Kernel {
  Map<Integer, Integer> m = new HashMap<>(); int n; public void setup(int n) { this.n = n; m.clear(); for (int i = 0; i < n; i += 2) m.put(i, i / 2); }
  Optional<Integer> find(int k) { return Optional.ofNullable(m.get(k)); }
  public double run() { long s = 0; for (int i = 0; i < n; i++) s += find(i).map(x -> x + 1).filter(x -> x % 3 != 0).orElse(-1); return s; }
}
