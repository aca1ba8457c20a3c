import java.util.*;
public class K_crc extends Kernel {
  int n;
  byte[] a, b, c;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new byte[n]; b = new byte[n]; c = new byte[n]; for (int i = 0; i < n; i++) { a[i] = (byte) (r.nextInt(100) + 1); b[i] = (byte) (r.nextInt(100) + 1); }
  }
  public double run() {
    int x = 0; for (int i = 0; i < n; i++) { x ^= a[i]; for (int k = 0; k < 8; k++) x = (x & 1) != 0 ? (x >>> 1) ^ 0xEDB88320 : x >>> 1; } return x;
  }
}
