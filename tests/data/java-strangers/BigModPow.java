import java.math.BigInteger;
public class BigModPow extends Kernel {
  BigInteger[] b; BigInteger m = new BigInteger("170141183460469231731687303715884105727");
  public void setup(int n) { b = new BigInteger[n]; java.util.Random r = new java.util.Random(5); for (int i = 0; i < n; i++) b[i] = new BigInteger(120, r); }
  public double run() { int s = 0; for (BigInteger x : b) s += x.modPow(BigInteger.valueOf(65537), m).bitCount(); return s; }
}
