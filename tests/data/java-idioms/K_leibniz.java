import java.util.*;
public class K_leibniz extends Kernel {
  int n;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
  }
  public double run() {
    double s = 0; for (int i = 0; i < n; i++) s += (i % 2 == 0 ? 1.0 : -1.0) / (2 * i + 1); return 4 * s;
  }
}
