import java.util.*;
public class K_longs extends Kernel {
  int n;
  long[] a, b;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new long[n]; b = new long[n];
  }
  public double run() {
    for (int i = 0; i < n; i++) a[i] = a[i] * 3 + b[i]; return a[3];
  }
}
