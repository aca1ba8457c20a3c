public class QueensBits extends Kernel {
  int n; public void setup(int n) { this.n = n; }
  int solve(int row, int cols, int d1, int d2) { if (row == n) return 1; int c = 0; int free = ((1 << n) - 1) & ~(cols | d1 | d2); while (free != 0) { int b = free & -free; free -= b; c += solve(row + 1, cols | b, (d1 | b) << 1, (d2 | b) >> 1); } return c; }
  public double run() { return solve(0, 0, 0, 0); }
}
