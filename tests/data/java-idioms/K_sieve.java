import java.util.*;
public class K_sieve extends Kernel {
  int n;
  boolean[] p;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    p = new boolean[n + 1];
  }
  public double run() {
    Arrays.fill(p, true); for (int i = 2; i * i <= n; i++) if (p[i]) for (int j = i * i; j <= n; j += i) p[j] = false; int s = 0; for (int i = 2; i <= n; i++) if (p[i]) s++; return s;
  }
}
