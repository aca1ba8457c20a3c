/** Searches in a binary tree of random insertions. */
public class TreeSearch extends Kernel {
  static class Node { final int key; Node left, right; Node(int key) { this.key = key; } }
  Node root;
  int[] asked;
  public void setup(int n) {
    for (int key : rnd(n, 1 << 30, 5)) root = insert(root, key);
    asked = rnd(4096, 1 << 30, 6);
  }
  static Node insert(Node root, int key) {
    Node made = new Node(key);
    if (root == null) return made;
    for (Node p = root; ; ) {
      if (key < p.key) { if (p.left == null) { p.left = made; break; } p = p.left; }
      else { if (p.right == null) { p.right = made; break; } p = p.right; }
    }
    return root;
  }
  public double run() {
    int s = 0;
    for (int i = 0; i < asked.length; i++) {
      int key = asked[i];
      Node p = root;
      while (p != null) {
        s++;
        if (key < p.key) p = p.left;
        else p = p.right;
      }
    }
    return s;
  }
}
