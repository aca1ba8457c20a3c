/** The same nodes, linked in any order. */
public class ListShuffled extends Kernel {
  static class Node { int value; Node next; Node(int value) { this.value = value; } }
  Node head;
  public void setup(int n) {
    Node[] nodes = new Node[n];
    for (int i = 0; i < n; i++) nodes[i] = new Node(i);
    java.util.Collections.shuffle(java.util.Arrays.asList(nodes), new java.util.Random(11));
    for (int i = 0; i < n - 1; i++) nodes[i].next = nodes[i + 1];
    head = nodes[0];
  }
  public double run() {
    long s = 0;
    for (Node p = head; p != null; p = p.next) s += p.value;
    return s;
  }
}
