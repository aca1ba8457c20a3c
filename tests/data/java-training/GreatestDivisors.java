/** Euclid for all pairs. */
public class GreatestDivisors extends Kernel {
  int n;

  public void setup(int n) {
    this.n = n;
  }

  static int gcd(int a, int b) {
    while (b != 0) {
      int t = a % b;
      a = b;
      b = t;
    }
    return a;
  }

  public double run() {
    int coprime = 0;
    for (int i = 1; i <= n; i++) {
      for (int j = 1; j <= n; j++) {
        if (gcd(i, j) == 1) {
          coprime++;
        }
      }
    }
    return coprime;
  }
}
