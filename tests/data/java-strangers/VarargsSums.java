public class VarargsSums extends Kernel {
  int n; public void setup(int n) { this.n = n; }
  static int sum(int... xs) { int s = 0; for (int x : xs) s += x; return s; }
  static <T> int count(T... xs) { return xs.length; }
  static String join(String sep, Object... parts) { StringBuilder b = new StringBuilder(); for (Object p : parts) { if (b.length() > 0) b.append(sep); b.append(p); } return b.toString(); }
  public double run() { long s = 0; for (int i = 0; i < n; i++) { s += sum() + sum(i) + sum(i, 2, 3) + count("a", "b") + join(",", i, "x", 2.5).length(); } return s; }
}
