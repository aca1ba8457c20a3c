import java.util.*;
public class EnumMaps extends Kernel {
  enum Colour { RED, GREEN, BLUE, BLACK } int[] a; public void setup(int n) { a = rnd(n, 4, 3); }
  public double run() { EnumMap<Colour, Integer> m = new EnumMap<>(Colour.class); Colour[] all = Colour.values(); for (int x : a) m.put(all[x], m.getOrDefault(all[x], 0) + x); EnumSet<Colour> seen = EnumSet.noneOf(Colour.class); for (Colour c : m.keySet()) if (m.get(c) > 10) seen.add(c); return seen.size() + m.get(Colour.BLUE); }
}
