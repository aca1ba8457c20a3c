/** Levels of a random graph with six edges from each node, in compressed rows. */
public class BreadthFirst extends Kernel {
  int n;
  int[] target, level, queue;

  public void setup(int n) {
    this.n = n;
    target = rnd(6 * n, n, 4);
    level = new int[n];
    queue = new int[n];
  }

  public double run() {
    for (int i = 0; i < n; i++) {
      level[i] = -1;
    }
    int head = 0, tail = 1;
    queue[0] = 0;
    level[0] = 0;
    while (head < tail) {
      int u = queue[head++];
      for (int e = 6 * u; e < 6 * u + 6; e++) {
        int v = target[e];
        if (level[v] < 0) {
          level[v] = level[u] + 1;
          queue[tail++] = v;
        }
      }
    }
    return tail + level[n / 2];
  }
}
