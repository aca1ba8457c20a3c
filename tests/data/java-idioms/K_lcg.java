import java.util.*;
public class K_lcg extends Kernel {
  int n;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
  }
  public double run() {
    long x = 12345; for (int i = 0; i < n; i++) x = (x * 1103515245L + 12345L) & 0x7fffffffL; return x;
  }
}
