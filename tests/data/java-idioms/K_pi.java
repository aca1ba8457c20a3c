import java.util.*;
public class K_pi extends Kernel {
  int n;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
  }
  public double run() {
    double s = 0; for (int i = 0; i < n; i++) { double x = (i + 0.5) / n; s += 4.0 / (1.0 + x * x); } return s / n;
  }
}
