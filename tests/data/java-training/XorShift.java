/** A shift-register generator; how many of its numbers are even. */
public class XorShift extends Kernel {
  int n;

  public void setup(int n) {
    this.n = n;
  }

  public double run() {
    long x = 88172645463325252L;
    int even = 0;
    for (int i = 0; i < n; i++) {
      x ^= x << 13;
      x ^= x >>> 7;
      x ^= x << 17;
      if ((x & 1L) == 0) {
        even++;
      }
    }
    return even;
  }
}
