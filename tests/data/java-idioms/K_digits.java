import java.util.*;
public class K_digits extends Kernel {
  int n;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
  }
  public double run() {
    int s = 0; for (int i = 0; i < n; i++) { int x = i; while (x > 0) { s += x % 10; x /= 10; } } return s;
  }
}
