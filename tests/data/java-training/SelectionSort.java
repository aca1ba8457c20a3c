/** The least of the rest to the front. */
public class SelectionSort extends Kernel {
  int n;
  double[] from, a;

  public void setup(int n) {
    this.n = n;
    from = rndd(n, 2);
    a = new double[n];
  }

  public double run() {
    System.arraycopy(from, 0, a, 0, n);
    for (int i = 0; i < n - 1; i++) {
      int least = i;
      for (int j = i + 1; j < n; j++) {
        if (a[j] < a[least]) {
          least = j;
        }
      }
      double t = a[i];
      a[i] = a[least];
      a[least] = t;
    }
    return a[n / 2];
  }
}
