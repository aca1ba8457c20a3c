public class Triples extends Kernel {
  int n;

  public void setup(int n) {
    this.n = n;
  }

  public double run() {
    int found = 0;
    for (int a = 1; a < n; a++)
      for (int b = a; b < n; b++) {
        int c2 = a * a + b * b;
        int c = (int) Math.sqrt(c2);
        if (c * c == c2) found++;
      }
    return found;
  }
}
