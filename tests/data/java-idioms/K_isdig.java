import java.util.*;
public class K_isdig extends Kernel {
  int n;
  char[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new char[n]; b = new char[n]; c = new char[n]; for (int i = 0; i < n; i++) { a[i] = (char) (r.nextInt(100) + 1); b[i] = (char) (r.nextInt(100) + 1); }
  }
  public double run() {
    int s = 0; for (int i = 0; i < n; i++) if (Character.isDigit(a[i])) s++; return s;
  }
}
