import java.util.*;
public class BitSetSieve extends Kernel {
  int n; public void setup(int n) { this.n = n; }
  public double run() { BitSet s = new BitSet(n + 1); s.set(2, n + 1); for (int i = 2; (long) i * i <= n; i = s.nextSetBit(i + 1)) for (int j = i * i; j <= n; j += i) s.clear(j); return s.cardinality(); }
}
