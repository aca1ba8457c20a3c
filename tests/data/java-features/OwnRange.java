import java.util.Iterator;

/** An enhanced for over an own range. */
public class OwnRange extends Kernel {
  static final class Range implements Iterable<Integer> {
    final int from, to;
    Range(int from, int to) { this.from = from; this.to = to; }
    public Iterator<Integer> iterator() {
      return new Iterator<>() {
        int at = from;
        public boolean hasNext() { return at < to; }
        public Integer next() { return at++; }
      };
    }
  }
  int n;
  public void setup(int n) { this.n = n; }
  public double run() {
    long s = 0;
    for (int k : new Range(0, n)) s += k * 3L;
    return s;
  }
}
