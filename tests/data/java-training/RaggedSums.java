/** Sums over rows of very different lengths. */
public class RaggedSums extends Kernel {
  short[][] rows;

  public void setup(int n) {
    int[] lengths = rnd(n, 90, 5);
    rows = new short[n][];
    for (int r = 0; r < n; r++) {
      rows[r] = new short[r == 0 ? 300 : 10 + lengths[r]];
      for (int k = 0; k < rows[r].length; k++) {
        rows[r][k] = (short) (r * 31 + k);
      }
    }
  }

  static int weight(short[] row) {
    int w = 7;
    for (short v : row) {
      w = (w << 1 ^ v) + (w >>> 9);
    }
    return w;
  }

  public double run() {
    int total = 0;
    for (short[] row : rows) {
      total ^= weight(row);
    }
    return total;
  }
}
