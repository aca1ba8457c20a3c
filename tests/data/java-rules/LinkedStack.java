public class LinkedStack extends Kernel {
  int[] a;
  int n;

  public void setup(int n) {
    this.n = n;
    a = rnd(n, 10, 19);
  }

  public double run() {
    Node top = null;
    long sum = 0;
    for (int i = 0; i < n; i++) {
      if (a[i] < 6 || top == null) top = new Node(a[i], top);
      else {
        sum += top.value;
        top = top.next;
      }
    }
    for (Node p = top; p != null; p = p.next) sum += p.value;
    return sum;
  }

  static class Node {
    final int value;
    final Node next;

    Node(int value, Node next) {
      this.value = value;
      this.next = next;
    }
  }
}
