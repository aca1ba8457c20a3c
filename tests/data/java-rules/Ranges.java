public class Ranges extends Kernel {
  int[] a;
  int n;

  public void setup(int n) {
    this.n = n;
    a = rnd(n, 300, 10);
  }

  public double run() {
    int few = 0, some = 0, many = 0;
    for (int i = 0; i < n; i++) {
      if (a[i] < 30) few += a[i];
      else if (a[i] < 200) some ^= a[i] * 3;
      else many++;
    }
    return few + some + many;
  }
}
