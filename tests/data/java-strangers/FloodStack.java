public class FloodStack extends Kernel {
  char[][] m; int n; public void setup(int n) { this.n = n; m = new char[n][n]; int[] r = rnd(n * n, 10, 1); for (int i = 0; i < n * n; i++) m[i / n][i % n] = r[i] < 3 ? '#' : '.'; }
  public double run() { boolean[][] seen = new boolean[n][n]; java.util.Stack<int[]> s = new java.util.Stack<>(); s.push(new int[] {0, 0}); int c = 0; final int[] dx = {1, -1, 0, 0}, dy = {0, 0, 1, -1}; while (!s.empty()) { int[] p = s.pop(); int x = p[0], y = p[1]; if (x < 0 || y < 0 || x >= n || y >= n || seen[x][y] || m[x][y] == '#') continue; seen[x][y] = true; c++; for (int d = 0; d < 4; d++) s.push(new int[] {x + dx[d], y + dy[d]}); } return c; }
}
