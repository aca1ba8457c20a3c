/** A cyclic redundancy check by table. */
public class TableChecksum extends Kernel {
  int n;
  byte[] data;
  int[] table;

  public void setup(int n) {
    this.n = n;
    data = new byte[n];
    int[] r = rnd(n, 256, 4);
    for (int i = 0; i < n; i++) {
      data[i] = (byte) r[i];
    }
    table = new int[256];
    for (int i = 0; i < 256; i++) {
      int c = i;
      for (int k = 0; k < 8; k++) {
        c = (c & 1) != 0 ? c >>> 1 ^ 0xEDB88320 : c >>> 1;
      }
      table[i] = c;
    }
  }

  public double run() {
    int c = -1;
    for (int i = 0; i < n; i++) {
      c = table[(c ^ data[i]) & 255] ^ (c >>> 8);
    }
    return ~c;
  }
}
