public class MatrixPower extends Kernel {
  long[][] m; int n; public void setup(int n) { this.n = n; m = new long[][] {{1, 1}, {1, 0}}; }
  static long[][] mul(long[][] a, long[][] b) { int k = a.length; long[][] c = new long[k][k]; for (int i = 0; i < k; i++) for (int j = 0; j < k; j++) { long s = 0; for (int l = 0; l < k; l++) s += a[i][l] * b[l][j] % 1_000_000_007L; c[i][j] = s % 1_000_000_007L; } return c; }
  static long[][] pow(long[][] a, int e) { long[][] r = {{1, 0}, {0, 1}}; while (e > 0) { if ((e & 1) == 1) r = mul(r, a); a = mul(a, a); e >>= 1; } return r; }
  public double run() { double s = 0; for (int i = 1; i <= n; i++) s += pow(m, i)[0][1]; return s; }
}
