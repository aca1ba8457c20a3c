import java.util.*;
public class TreeMapRanges extends Kernel {
  TreeMap<Integer, String> m = new TreeMap<>(); int[] q; public void setup(int n) { m.clear(); for (int i = 0; i < n; i++) m.put(i * 10, "r" + i); q = rnd(n, n * 10, 2); }
  public double run() { int s = 0; for (int x : q) { Map.Entry<Integer, String> e = m.floorEntry(x); s += e.getKey() + e.getValue().length(); Integer c = m.ceilingKey(x + 5); if (c != null) s ^= c; } return s + m.headMap(q[0]).size(); }
}
