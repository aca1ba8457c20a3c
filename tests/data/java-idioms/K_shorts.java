import java.util.*;
public class K_shorts extends Kernel {
  int n;
  short[] a, b;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new short[n]; b = new short[n];
  }
  public double run() {
    for (int i = 0; i < n; i++) a[i] = (short) (a[i] + b[i]); return a[3];
  }
}
