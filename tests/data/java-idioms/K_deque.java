import java.util.*;
public class K_deque extends Kernel {
  int n;
  int[] a;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new int[n];
  }
  public double run() {
    ArrayDeque<Integer> q = new ArrayDeque<>(); int s = 0; for (int i = 0; i < n; i++) { q.addLast(i); if (q.size() > 10) s += q.pollFirst(); } return s;
  }
}
