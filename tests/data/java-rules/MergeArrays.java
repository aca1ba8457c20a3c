public class MergeArrays extends Kernel {
  int[] a, b, c;
  int n;

  public void setup(int n) {
    this.n = n;
    a = rnd(n, 1 << 20, 12);
    b = rnd(n, 1 << 20, 13);
    java.util.Arrays.sort(a);
    java.util.Arrays.sort(b);
    c = new int[2 * n];
  }

  public double run() {
    int i = 0, j = 0, k = 0;
    while (i < n && j < n) c[k++] = a[i] <= b[j] ? a[i++] : b[j++];
    while (i < n) c[k++] = a[i++];
    while (j < n) c[k++] = b[j++];
    return c[n];
  }
}
