public class Labelled extends Kernel {
  int n; public void setup(int n) { this.n = n; }
  public double run() { int c = 0; outer: for (int i = 2; i < n; i++) { for (int j = 2; j * j <= i; j++) { if (i % j == 0) continue outer; if (c > 1_000_000) break outer; } c++; } return c; }
}
