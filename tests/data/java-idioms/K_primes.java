import java.util.*;
public class K_primes extends Kernel {
  int n;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
  }
  public double run() {
    int c = 0; for (int i = 2; i < n; i++) { boolean p = true; for (int d = 2; d * d <= i; d++) if (i % d == 0) { p = false; break; } if (p) c++; } return c;
  }
}
