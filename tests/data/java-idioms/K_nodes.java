import java.util.*;
public class K_nodes extends Kernel {
  int n;
  Node h;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    for (int i = 0; i < n; i++) { Node q = new Node(); q.v = i; q.next = h; h = q; }
  }
  public double run() {
    int s = 0; for (Node p = h; p != null; p = p.next) s += p.v; return s;
  }
  static class Node { int v; Node next; }
}
