import java.util.*;
public class K_fib extends Kernel {
  int n;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
  }
  public double run() {
    long x = 0, y = 1; for (int i = 0; i < n; i++) { long t = x + y; x = y; y = t; } return x;
  }
}
