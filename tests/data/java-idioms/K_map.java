import java.util.*;
public class K_map extends Kernel {
  int n;
  int[] a;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new int[n]; for (int i = 0; i < n; i++) a[i] = r.nextInt(500);
  }
  public double run() {
    Map<Integer, Integer> m = new HashMap<>(); for (int x : a) m.merge(x, 1, Integer::sum); return m.size();
  }
}
