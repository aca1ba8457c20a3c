import java.util.*;

public class Breadth extends Kernel {
  int[][] next;
  int n;

  public void setup(int n) {
    this.n = n;
    next = new int[n][];
    for (int i = 0; i < n; i++) next[i] = rnd(3, n, i);
  }

  public double run() {
    boolean[] seen = new boolean[n];
    ArrayDeque<Integer> queue = new ArrayDeque<>();
    queue.add(0);
    seen[0] = true;
    int reached = 0;
    while (!queue.isEmpty()) {
      int v = queue.poll();
      reached++;
      for (int w : next[v])
        if (!seen[w]) {
          seen[w] = true;
          queue.add(w);
        }
    }
    return reached;
  }
}
