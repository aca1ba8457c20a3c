/** Squares and products modulo a prime. */
public class PowerModulo extends Kernel {
  int n;

  public void setup(int n) {
    this.n = n;
  }

  static long power(long base, int exponent, long modulus) {
    long result = 1;
    while (exponent > 0) {
      if ((exponent & 1) == 1) {
        result = result * base % modulus;
      }
      base = base * base % modulus;
      exponent >>= 1;
    }
    return result;
  }

  public double run() {
    long s = 0;
    for (int i = 1; i <= n; i++) {
      s += power(i, 1021, 1000003);
    }
    return s;
  }
}
