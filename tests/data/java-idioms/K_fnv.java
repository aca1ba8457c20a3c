import java.util.*;
public class K_fnv extends Kernel {
  int n;
  byte[] a;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new byte[n]; r.nextBytes(a);
  }
  public double run() {
    int h = 0x811c9dc5; for (int i = 0; i < n; i++) { h ^= a[i] & 0xff; h *= 16777619; } return h;
  }
}
