/** Primes by crossing out. */
public class Sieve extends Kernel {
  int n;
  boolean[] composite;

  public void setup(int n) {
    this.n = n;
    composite = new boolean[n + 1];
  }

  public double run() {
    for (int i = 2; i <= n; i++) {
      composite[i] = false;
    }
    int primes = 0;
    for (int i = 2; i <= n; i++) {
      if (!composite[i]) {
        primes++;
        for (int j = 2 * i; j <= n; j += i) {
          composite[j] = true;
        }
      }
    }
    return primes;
  }
}
