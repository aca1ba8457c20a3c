import java.util.*;

public class SetDifference extends Kernel {
  int[] a, b;

  public void setup(int n) {
    a = rnd(n, 2 * n, 26);
    b = rnd(n, 2 * n, 27);
  }

  public double run() {
    Set<Integer> set = new HashSet<>();
    for (int v : a) set.add(v);
    int lost = 0;
    for (int v : b) if (!set.contains(v)) lost++;
    return lost;
  }
}
