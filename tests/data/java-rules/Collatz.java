public class Collatz extends Kernel {
  int n;

  public void setup(int n) {
    this.n = n;
  }

  public double run() {
    int longest = 0;
    for (int i = 1; i <= n; i++) {
      long x = i;
      int steps = 0;
      while (x != 1) {
        x = (x & 1) == 0 ? x >> 1 : 3 * x + 1;
        steps++;
      }
      if (steps > longest) longest = steps;
    }
    return longest;
  }
}
