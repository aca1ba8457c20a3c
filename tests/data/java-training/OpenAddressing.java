/** A hash table with linear probing: insert all, then look up as many. */
public class OpenAddressing extends Kernel {
  int n, mask;
  int[] keys, asked, table;

  public void setup(int n) {
    this.n = n;
    int size = 1;
    while (size < 2 * n) {
      size *= 2;
    }
    mask = size - 1;
    keys = rnd(n, 1 << 30, 11);
    asked = rnd(n, 1 << 30, 12);
    table = new int[size];
  }

  public double run() {
    for (int i = 0; i <= mask; i++) {
      table[i] = -1;
    }
    for (int i = 0; i < n; i++) {
      int k = keys[i];
      int h = (k * 0x9E3779B1) >>> 7 & mask;
      while (table[h] != -1 && table[h] != k) {
        h = (h + 1) & mask;
      }
      table[h] = k;
    }
    int hits = 0;
    for (int i = 0; i < n; i++) {
      int k = asked[i];
      int h = (k * 0x9E3779B1) >>> 7 & mask;
      while (table[h] != -1 && table[h] != k) {
        h = (h + 1) & mask;
      }
      if (table[h] == k) {
        hits++;
      }
    }
    return hits;
  }
}
