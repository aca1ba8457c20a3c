/** A list that each run builds anew and walks once: all of it is alive when a collection comes. */
public class ListKept extends Kernel {
  static class Cell { final int value; final Cell rest; Cell(int value, Cell rest) { this.value = value; this.rest = rest; } }
  int n;
  public void setup(int n) {
    this.n = n;
  }
  public double run() {
    Cell list = null;
    for (int i = 0; i < n; i++) list = new Cell(i, list);
    long s = 0;
    for (Cell c = list; c != null; c = c.rest) s += c.value;
    return s;
  }
}
