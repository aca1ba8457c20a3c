public class SubsetSums extends Kernel {
  int[] a;

  public void setup(int n) {
    a = rnd(n, 1000, 35);
  }

  public double run() {
    return count(0, 0);
  }

  int count(int i, int sum) {
    if (i == a.length) return sum % 7 == 0 ? 1 : 0;
    return count(i + 1, sum) + count(i + 1, sum + a[i]);
  }
}
