public class BinaryTree extends Kernel {
  Tree root;
  int[] asked;
  int n;

  public void setup(int n) {
    this.n = n;
    for (int v : rnd(n, 1 << 24, 20)) root = insert(root, v);
    asked = rnd(n, 1 << 24, 21);
  }

  public double run() {
    int deep = 0;
    for (int i = 0; i < n; i++) {
      Tree t = root;
      while (t != null) {
        t = asked[i] < t.key ? t.left : t.right;
        deep++;
      }
    }
    return deep;
  }

  static Tree insert(Tree t, int key) {
    if (t == null) return new Tree(key);
    if (key < t.key) t.left = insert(t.left, key);
    else t.right = insert(t.right, key);
    return t;
  }

  static class Tree {
    final int key;
    Tree left, right;

    Tree(int key) {
      this.key = key;
    }
  }
}
