import java.util.*;
public class K_collatz extends Kernel {
  int n;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
  }
  public double run() {
    int most = 0; for (int i = 1; i < n; i++) { long x = i; int s = 0; while (x != 1) { x = x % 2 == 0 ? x / 2 : 3 * x + 1; s++; } most = Math.max(most, s); } return most;
  }
}
