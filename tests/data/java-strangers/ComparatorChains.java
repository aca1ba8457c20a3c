import java.util.*;
public class ComparatorChains extends Kernel {
  record P(String name, int age, double pay) { } List<P> l = new ArrayList<>(); public void setup(int n) { l.clear(); int[] r = rnd(n, 60, 1); for (int i = 0; i < n; i++) l.add(new P("n" + r[i] % 13, r[i], i * .1)); }
  public double run() { List<P> c = new ArrayList<>(l); c.sort(Comparator.comparing(P::name).thenComparing(P::age, Comparator.reverseOrder()).thenComparingDouble(P::pay)); Collections.reverse(c); return c.get(0).age() + c.get(c.size() - 1).pay(); }
}
