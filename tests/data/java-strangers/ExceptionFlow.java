public class ExceptionFlow extends Kernel {
  static class TooBig extends RuntimeException { final int by; TooBig(int by) { super("too big by " + by, null, false, false); this.by = by; } }
  int[] a; public void setup(int n) { a = rnd(n, 1000, 8); }
  int check(int x) { if (x > 990) throw new TooBig(x - 990); return x; }
  public double run() { long s = 0; for (int x : a) { try { s += check(x); } catch (TooBig e) { s -= e.by; } finally { s++; } } return s; }
}
