import java.util.*;
public class UnionFind extends Kernel {
  static class Sets { final int[] up, rank; int parts; Sets(int n) { up = new int[n]; rank = new int[n]; parts = n; for (int i = 0; i < n; i++) up[i] = i; } int find(int x) { return up[x] == x ? x : (up[x] = find(up[x])); } boolean join(int a, int b) { int x = find(a), y = find(b); if (x == y) return false; if (rank[x] < rank[y]) { int t = x; x = y; y = t; } up[y] = x; if (rank[x] == rank[y]) rank[x]++; parts--; return true; } }
  int[] p, q; int n; public void setup(int n) { this.n = n; p = rnd(n, n, 1); q = rnd(n, n, 2); }
  public double run() { Sets s = new Sets(n); for (int i = 0; i < n; i++) s.join(p[i], q[i]); return s.parts; }
}
