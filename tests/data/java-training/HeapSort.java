/** Sift down in a binary heap. */
public class HeapSort extends Kernel {
  int n;
  int[] from, a;

  public void setup(int n) {
    this.n = n;
    from = rnd(n, 1 << 30, 17);
    a = new int[n];
  }

  static void sift(int[] a, int root, int end) {
    int v = a[root];
    int child = 2 * root + 1;
    while (child < end) {
      if (child + 1 < end && a[child] < a[child + 1]) {
        child++;
      }
      if (v >= a[child]) {
        break;
      }
      a[root] = a[child];
      root = child;
      child = 2 * root + 1;
    }
    a[root] = v;
  }

  public double run() {
    for (int i = 0; i < n; i++) {
      a[i] = from[i];
    }
    for (int i = n / 2 - 1; i >= 0; i--) {
      sift(a, i, n);
    }
    for (int end = n - 1; end > 0; end--) {
      int t = a[0];
      a[0] = a[end];
      a[end] = t;
      sift(a, 0, end);
    }
    return a[n / 2];
  }
}
