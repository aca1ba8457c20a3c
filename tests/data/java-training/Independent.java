/** Counts the independent sets of a ring with chords: a set is a number, its members are taken bit by bit. */
public class Independent extends Kernel {
  int[] neighbours;

  public void setup(int n) {
    neighbours = new int[n];
    for (int k = 0; k < n; k++) {
      neighbours[k] = 1 << (k + 1) % n | 1 << (k + n - 1) % n | 1 << (k * 5 + 2) % n;
    }
  }

  int sets(int free) {
    int many = 1;
    while (free != 0) {
      int k = Integer.numberOfTrailingZeros(free);
      free &= free - 1;
      many += sets(free & ~neighbours[k]);
    }
    return many;
  }

  public double run() {
    return sets((1 << neighbours.length) - 1);
  }
}
