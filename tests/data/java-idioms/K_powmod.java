import java.util.*;
public class K_powmod extends Kernel {
  int n;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
  }
  public double run() {
    long x = 3, y = 1; int e = n; long s = 0; for (int k = 0; k < n; k++) { x = x * x % 998244353L; if ((e >> (k & 31) & 1) == 1) y = y * x % 998244353L; } return y;
  }
}
