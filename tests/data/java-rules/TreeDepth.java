public class TreeDepth extends Kernel {
  Node root;

  public void setup(int n) {
    int[] keys = rnd(n, 1 << 28, 37);
    for (int v : keys) root = put(root, v);
  }

  public double run() {
    return depth(root);
  }

  static int depth(Node t) {
    return t == null ? 0 : 1 + Math.max(depth(t.left), depth(t.right));
  }

  static Node put(Node t, int key) {
    if (t == null) return new Node(key);
    if (key < t.key) t.left = put(t.left, key);
    else t.right = put(t.right, key);
    return t;
  }

  static class Node {
    final int key;
    Node left, right;

    Node(int key) {
      this.key = key;
    }
  }
}
