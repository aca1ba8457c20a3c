import java.util.*;
public class K_addc extends Kernel {
  int n;
  char[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new char[n]; b = new char[n]; c = new char[n]; for (int i = 0; i < n; i++) { a[i] = (char) (r.nextInt(100) + 1); b[i] = (char) (r.nextInt(100) + 1); }
  }
  public double run() {
    for (int i = 0; i < n; i++) c[i] = (char) (a[i] + 1); return c[3];
  }
}
