import java.util.*;
public class AnonymousIterators extends Kernel {
  int n; public void setup(int n) { this.n = n; }
  Iterable<Integer> evens(final int most) {
    return new Iterable<Integer>() { public Iterator<Integer> iterator() { return new Iterator<Integer>() { int at = 0; public boolean hasNext() { return at < most; } public Integer next() { int r = at; at += 2; return r; } }; } };
  }
  public double run() { long s = 0; for (int x : evens(n)) s += x; for (int x : evens(n / 2)) s -= x; return s; }
}
