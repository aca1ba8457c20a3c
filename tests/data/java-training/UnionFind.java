/** Disjoint sets with path halving. */
public class UnionFind extends Kernel {
  int n;
  int[] a, b, parent;

  public void setup(int n) {
    this.n = n;
    a = rnd(n, n, 5);
    b = rnd(n, n, 6);
    parent = new int[n];
  }

  int find(int x) {
    while (parent[x] != x) {
      parent[x] = parent[parent[x]];
      x = parent[x];
    }
    return x;
  }

  public double run() {
    for (int i = 0; i < n; i++) {
      parent[i] = i;
    }
    int sets = n;
    for (int i = 0; i < n; i++) {
      int p = find(a[i]), q = find(b[i]);
      if (p != q) {
        parent[p] = q;
        sets--;
      }
    }
    return sets;
  }
}
