import java.math.BigInteger;
import java.util.BitSet;

/** Large numbers and bit sets of the library. */
public class BigSteps extends Kernel {
  int n;
  public void setup(int n) { this.n = n; }
  public double run() {
    BigInteger a = BigInteger.ONE, b = BigInteger.ONE;
    for (int i = 0; i < n; i++) { BigInteger c = a.add(b); a = b; b = c.bitLength() > 400 ? c.shiftRight(200) : c; }
    BitSet sieve = new BitSet(n);
    for (int i = 2; i < n; i++) if (!sieve.get(i)) for (int k = 2 * i; k < n; k += i) sieve.set(k);
    return b.bitLength() + sieve.cardinality();
  }
}
