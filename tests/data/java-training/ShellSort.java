/** Insertion with shrinking gaps. */
public class ShellSort extends Kernel {
  int n;
  int[] from, a;

  public void setup(int n) {
    this.n = n;
    from = rnd(n, 1 << 30, 12);
    a = new int[n];
  }

  public double run() {
    for (int i = 0; i < n; i++) {
      a[i] = from[i];
    }
    for (int gap = n / 2; gap > 0; gap /= 2) {
      for (int i = gap; i < n; i++) {
        int v = a[i];
        int j = i;
        while (j >= gap && a[j - gap] > v) {
          a[j] = a[j - gap];
          j -= gap;
        }
        a[j] = v;
      }
    }
    return a[n / 2];
  }
}
