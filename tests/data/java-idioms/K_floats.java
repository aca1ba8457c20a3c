import java.util.*;
public class K_floats extends Kernel {
  int n;
  float[] a, b;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    a = new float[n]; b = new float[n];
  }
  public double run() {
    for (int i = 0; i < n; i++) a[i] = a[i] * 3f + b[i]; return a[3];
  }
}
