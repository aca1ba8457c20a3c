public class Runs extends Kernel {
  int[] a;
  int n;

  public void setup(int n) {
    this.n = n;
    a = rnd(n, 3, 11);
  }

  public double run() {
    int runs = 1, longest = 0, at = 0;
    for (int i = 1; i < n; i++)
      if (a[i] != a[i - 1]) {
        runs++;
        if (i - at > longest) longest = i - at;
        at = i;
      }
    return runs + longest;
  }
}
