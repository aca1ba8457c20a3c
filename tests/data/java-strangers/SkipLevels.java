import java.util.*;
public class SkipLevels extends Kernel {
  static class Node { int key; Node[] next; Node(int k, int h) { key = k; next = new Node[h]; } } Node head; Random r = new Random(4); int[] keys;
  public void setup(int n) { keys = rnd(n, 10 * n, 1); }
  void add(int k) { Node[] before = new Node[16]; Node at = head; for (int l = 15; l >= 0; l--) { while (at.next[l] != null && at.next[l].key < k) at = at.next[l]; before[l] = at; } int h = 1; while (h < 16 && r.nextBoolean()) h++; Node x = new Node(k, h); for (int l = 0; l < h; l++) { x.next[l] = before[l].next[l]; before[l].next[l] = x; } }
  boolean has(int k) { Node at = head; for (int l = 15; l >= 0; l--) while (at.next[l] != null && at.next[l].key <= k) at = at.next[l]; return at != head && at.key == k; }
  public double run() { head = new Node(-1, 16); for (int k : keys) add(k); int c = 0; for (int k = 0; k < keys.length; k++) if (has(k)) c++; return c; }
}
