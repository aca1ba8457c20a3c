import java.math.BigInteger;
public class BigFactorial extends Kernel {
  int n; public void setup(int n) { this.n = n; }
  public double run() { BigInteger f = BigInteger.ONE; for (int i = 2; i <= n; i++) f = f.multiply(BigInteger.valueOf(i)); return f.bitLength(); }
}
