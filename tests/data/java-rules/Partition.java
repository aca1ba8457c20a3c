public class Partition extends Kernel {
  int[] a, b;
  int n;

  public void setup(int n) {
    this.n = n;
    a = rnd(n, 1000, 9);
    b = new int[n];
  }

  public double run() {
    int low = 0, high = n - 1;
    for (int i = 0; i < n; i++) {
      if (a[i] < 500) b[low++] = a[i];
      else b[high--] = a[i];
    }
    return low + b[n / 2];
  }
}
