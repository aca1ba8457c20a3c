/** A switch expression with blocks and yield that runs a small program. */
public class SwitchCodes extends Kernel {
  int n; int[] code;
  public void setup(int n) { this.n = n; code = rnd(n, 5, 6); }
  public double run() {
    long a = 1;
    for (int i = 0; i < n; i++) {
      a = switch (code[i]) {
        case 0 -> a + i;
        case 1 -> a ^ (a << 3);
        case 2, 3 -> { long b = a >>> 2; yield b + 1; }
        default -> { int bits = 0; for (long v = a; v != 0; v &= v - 1) bits++; yield a + bits; }
      };
    }
    return a;
  }
}
