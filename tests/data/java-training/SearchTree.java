/** A binary search tree, built and searched. */
public class SearchTree extends Kernel {
  static final class Node {
    final int key;
    Node left, right;

    Node(int key) {
      this.key = key;
    }
  }

  int n;
  int[] keys;

  public void setup(int n) {
    this.n = n;
    keys = rnd(n, 1 << 30, 5);
  }

  public double run() {
    Node root = new Node(keys[0]);
    for (int i = 1; i < n; i++) {
      Node at = root;
      int k = keys[i];
      while (true) {
        if (k < at.key) {
          if (at.left == null) {
            at.left = new Node(k);
            break;
          }
          at = at.left;
        } else {
          if (at.right == null) {
            at.right = new Node(k);
            break;
          }
          at = at.right;
        }
      }
    }
    return root.key;
  }
}
