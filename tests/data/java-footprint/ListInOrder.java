/** A linked list whose nodes were allocated in the order of the walk. */
public class ListInOrder extends Kernel {
  static class Node { int value; Node next; Node(int value) { this.value = value; } }
  Node head;
  public void setup(int n) {
    Node last = head = new Node(0);
    for (int i = 1; i < n; i++) { last.next = new Node(i); last = last.next; }
  }
  public double run() {
    long s = 0;
    for (Node p = head; p != null; p = p.next) s += p.value;
    return s;
  }
}
