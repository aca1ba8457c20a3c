public sealed class SealedLists extends Kernel {
  sealed interface L permits Cons, Nil { } record Cons(int head, L tail) implements L { } record Nil() implements L { }
  static final class Extra extends SealedLists { }
  int n; L list; public void setup(int n) { this.n = n; list = new Nil(); for (int i = 0; i < n; i++) list = new Cons(i, list); }
  public double run() { long s = 0; L at = list; while (at instanceof Cons c) { s += c.head(); at = c.tail(); } return s; }
}
