/** All permutations of n by exchanging, with a sum over each. */
public class Permutations extends Kernel {
  int n;
  int[] p;
  int sum;

  public void setup(int n) {
    this.n = n;
    p = new int[n];
    for (int i = 0; i < n; i++) {
      p[i] = i;
    }
  }

  void permute(int k) {
    if (k == n) {
      sum += p[0] * p[n - 1];
      return;
    }
    for (int i = k; i < n; i++) {
      int t = p[k];
      p[k] = p[i];
      p[i] = t;
      permute(k + 1);
      t = p[k];
      p[k] = p[i];
      p[i] = t;
    }
  }

  public double run() {
    sum = 0;
    permute(0);
    return sum;
  }
}
