/** A tree of terms, each evaluated by the class it has. */
public class ExpressionTree extends Kernel {
  abstract static class Term { abstract long value(long x); }
  static final class Number extends Term { final long v; Number(long v) { this.v = v; } long value(long x) { return v; } }
  static final class Variable extends Term { long value(long x) { return x; } }
  static final class Sum extends Term {
    final Term a, b; Sum(Term a, Term b) { this.a = a; this.b = b; }
    long value(long x) { return a.value(x) + b.value(x); }
  }
  static final class Product extends Term {
    final Term a, b; Product(Term a, Term b) { this.a = a; this.b = b; }
    long value(long x) { return a.value(x) * b.value(x); }
  }
  int n; Term term;
  static Term made(int depth) {
    if (depth == 0) return new Variable();
    if (depth % 3 == 1) return new Sum(made(depth - 1), new Number(depth));
    return new Product(made(depth - 1), made(depth / 2 - 1 < 0 ? 0 : depth / 2 - 1));
  }
  public void setup(int n) { this.n = n; term = made(9); }
  public double run() { long s = 0; for (int i = 0; i < n; i++) s += term.value(i); return s; }
}
