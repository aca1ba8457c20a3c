/** Hoare's partition, recursive. */
public class QuickSort extends Kernel {
  int n;
  int[] from, a;

  public void setup(int n) {
    this.n = n;
    from = rnd(n, 1 << 30, 7);
    a = new int[n];
  }

  static void sort(int[] a, int low, int high) {
    if (low >= high) {
      return;
    }
    int pivot = a[(low + high) >>> 1], i = low, j = high;
    while (i <= j) {
      while (a[i] < pivot) {
        i++;
      }
      while (a[j] > pivot) {
        j--;
      }
      if (i <= j) {
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
        i++;
        j--;
      }
    }
    sort(a, low, j);
    sort(a, i, high);
  }

  public double run() {
    for (int i = 0; i < n; i++) {
      a[i] = from[i];
    }
    sort(a, 0, n - 1);
    return a[n / 2];
  }
}
