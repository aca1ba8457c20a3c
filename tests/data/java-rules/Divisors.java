public class Divisors extends Kernel {
  int n;

  public void setup(int n) {
    this.n = n;
  }

  public double run() {
    long sum = 0;
    for (int i = 1; i <= n; i++)
      for (int d = 1; d * d <= i; d++)
        if (i % d == 0) sum += d + i / d;
    return sum;
  }
}
