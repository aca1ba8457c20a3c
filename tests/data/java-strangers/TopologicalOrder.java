import java.util.*;
public class TopologicalOrder extends Kernel {
  List<List<Integer>> next = new ArrayList<>(); int n;
  public void setup(int n) { this.n = n; next.clear(); Random r = new Random(1); for (int i = 0; i < n; i++) { List<Integer> row = new ArrayList<>(); for (int k = 0; k < 3; k++) if (i + 1 < n) row.add(i + 1 + r.nextInt(n - i - 1)); next.add(row); } }
  public double run() {
    int[] in = new int[n]; for (List<Integer> row : next) for (int v : row) in[v]++;
    Deque<Integer> ready = new ArrayDeque<>(); for (int i = 0; i < n; i++) if (in[i] == 0) ready.add(i);
    double s = 0; int k = 0;
    while (!ready.isEmpty()) { int v = ready.poll(); s += (double) v * k++; for (int w : next.get(v)) if (--in[w] == 0) ready.add(w); }
    return s;
  }
}
