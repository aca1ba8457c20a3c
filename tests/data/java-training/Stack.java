/** A list of new cells, then its sum. */
public class Stack extends Kernel {
  static final class Cell {
    int value;
    Cell below;
  }

  int n;

  public void setup(int n) {
    this.n = n;
  }

  public double run() {
    Cell top = null;
    for (int i = 0; i < n; i++) {
      Cell c = new Cell();
      c.value = i;
      c.below = top;
      top = c;
    }
    long s = 0;
    while (top != null) {
      s += top.value;
      top = top.below;
    }
    return s;
  }
}
