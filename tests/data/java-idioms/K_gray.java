import java.util.*;
public class K_gray extends Kernel {
  int n;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
  }
  public double run() {
    int s = 0; for (int i = 0; i < n; i++) s += i ^ (i >> 1); return s;
  }
}
