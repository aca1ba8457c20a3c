public class GameOfLife extends Kernel {
  boolean[][] g; int n; public void setup(int n) { this.n = n; g = new boolean[n][n]; int[] r = rnd(n * n, 3, 1); for (int i = 0; i < n * n; i++) g[i / n][i % n] = r[i] == 0; }
  int around(int i, int j) { int c = 0; for (int a = -1; a <= 1; a++) for (int b = -1; b <= 1; b++) if ((a != 0 || b != 0) && g[(i + a + n) % n][(j + b + n) % n]) c++; return c; }
  public double run() { boolean[][] h = new boolean[n][n]; int alive = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { int c = around(i, j); h[i][j] = c == 3 || c == 2 && g[i][j]; if (h[i][j]) alive++; } return alive; }
}
