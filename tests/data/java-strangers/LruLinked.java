import java.util.*;
public class LruLinked extends Kernel {
  static class Lru<K, V> extends LinkedHashMap<K, V> { final int most; Lru(int m) { super(16, .75f, true); most = m; } @Override protected boolean removeEldestEntry(Map.Entry<K, V> e) { return size() > most; } }
  int[] keys; public void setup(int n) { keys = rnd(n, 500, 6); }
  public double run() { Lru<Integer, Integer> c = new Lru<>(100); int hits = 0; for (int k : keys) { Integer v = c.get(k); if (v == null) c.put(k, k); else hits++; } return hits; }
}
