import java.util.*;
public class K_kadane extends Kernel {
  int n;
  int[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new int[n]; b = new int[n]; c = new int[n]; for (int i = 0; i < n; i++) { a[i] = r.nextInt(1000); b[i] = r.nextInt(1000) + 1; c[i] = i; }
  }
  public double run() {
    int best = 0, cur = 0; for (int i = 0; i < n; i++) { cur = Math.max(0, cur + a[i] - 500); best = Math.max(best, cur); } return best;
  }
}
