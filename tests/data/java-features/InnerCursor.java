/** An inner class that walks the array of the object around it. */
public class InnerCursor extends Kernel {
  int n; int[] data;
  class Cursor {
    int at;
    boolean more() { return at < data.length; }
    int take() { return data[at++]; }
    void skip(int k) { at += k; }
  }
  public void setup(int n) { this.n = n; data = rnd(n, 100, 3); }
  public double run() {
    long s = 0;
    Cursor cursor = new Cursor();
    while (cursor.more()) { int v = cursor.take(); s += v; if (v > 90) cursor.skip(1); }
    return s;
  }
}
