import java.util.*;
public class K_triple extends Kernel {
  int n;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
  }
  public double run() {
    int c = 0; for (int x = 1; x < n; x++) for (int y = x; y < n; y++) { int z = x * x + y * y; int q = (int) Math.sqrt(z); if (q * q == z && q < n) c++; } return c;
  }
}
