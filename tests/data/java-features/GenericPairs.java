/** Pairs of two type variables, swapped by a generic method. */
public class GenericPairs extends Kernel {
  static final class Pair<Left, Right> {
    final Left left; final Right right;
    Pair(Left left, Right right) { this.left = left; this.right = right; }
    Left left() { return left; }
    Right right() { return right; }
  }
  static final class Cell { final int v; Cell(int v) { this.v = v; } int value() { return v; } }
  static <Any, Other> Pair<Other, Any> swapped(Pair<Any, Other> p) { return new Pair<>(p.right(), p.left()); }
  int n; Pair<Cell, Cell>[] pairs;
  @SuppressWarnings("unchecked") public void setup(int n) {
    this.n = n; pairs = new Pair[n];
    for (int i = 0; i < n; i++) pairs[i] = new Pair<>(new Cell(i), new Cell(2 * i));
  }
  public double run() {
    long s = 0;
    for (int i = 0; i < n; i++) s += swapped(pairs[i]).left().value() - pairs[i].right().value() + 1;
    return s;
  }
}
