public class Visitors extends Kernel {
  interface Expr { <R> R accept(Visitor<R> v); } interface Visitor<R> { R num(Num n); R add(Add a); R mul(Mul m); }
  static class Num implements Expr { final int v; Num(int v) { this.v = v; } public <R> R accept(Visitor<R> x) { return x.num(this); } }
  static class Add implements Expr { final Expr a, b; Add(Expr a, Expr b) { this.a = a; this.b = b; } public <R> R accept(Visitor<R> x) { return x.add(this); } }
  static class Mul implements Expr { final Expr a, b; Mul(Expr a, Expr b) { this.a = a; this.b = b; } public <R> R accept(Visitor<R> x) { return x.mul(this); } }
  static class Eval implements Visitor<Integer> { public Integer num(Num n) { return n.v; } public Integer add(Add a) { return a.a.accept(this) + a.b.accept(this); } public Integer mul(Mul m) { return m.a.accept(this) * m.b.accept(this) % 1009; } }
  Expr e; public void setup(int n) { e = make(0, n); } Expr make(int lo, int hi) { if (hi - lo <= 1) return new Num(lo % 10 + 1); int m = (lo + hi) / 2; return lo % 2 == 0 ? new Add(make(lo, m), make(m, hi)) : new Mul(make(lo, m), make(m, hi)); }
  public double run() { return e.accept(new Eval()); }
}
