import java.util.*;

public class GroupTree extends Kernel {
  int[] a;

  public void setup(int n) {
    a = rnd(n, 5000, 29);
  }

  public double run() {
    TreeMap<Integer, List<Integer>> groups = new TreeMap<>();
    for (int i = 0; i < a.length; i++) groups.computeIfAbsent(a[i] / 50, x -> new ArrayList<>()).add(i);
    long s = 0;
    for (Map.Entry<Integer, List<Integer>> e : groups.entrySet()) s += (long) e.getKey() * e.getValue().size();
    return s;
  }
}
