/** Common elements of two sorted arrays. */
public class TwoPointers extends Kernel {
  int n;
  int[] a, b;

  public void setup(int n) {
    this.n = n;
    a = rnd(n, 4 * n, 1);
    b = rnd(n, 4 * n, 2);
    java.util.Arrays.sort(a);
    java.util.Arrays.sort(b);
  }

  public double run() {
    int i = 0, j = 0, common = 0;
    while (i < n && j < n) {
      if (a[i] < b[j]) {
        i++;
      } else if (a[i] > b[j]) {
        j++;
      } else {
        common++;
        i++;
        j++;
      }
    }
    return common;
  }
}
