public class BitTricks extends Kernel {
  int[] a; public void setup(int n) { a = rnd(n, Integer.MAX_VALUE, 8); }
  public double run() { long s = 0; for (int x : a) { int v = x; v ^= v >>> 16; v *= 0x85ebca6b; v ^= v >>> 13; s += Integer.bitCount(v) + Integer.numberOfTrailingZeros(v | 1 << 20) + Integer.rotateLeft(v, 5) % 3 + (v & -v); if (Integer.highestOneBit(v) > 1 << 28) s++; } return s; }
}
