public class EnumBodies extends Kernel {
  enum Calc { PLUS("+") { int apply(int a, int b) { return a + b; } }, TIMES("*") { int apply(int a, int b) { return a * b; } }, MIN("<") { int apply(int a, int b) { return Math.min(a, b); } }; final String sign; Calc(String s) { sign = s; } abstract int apply(int a, int b); }
  int[] ops; public void setup(int n) { ops = rnd(n, 3, 4); }
  public double run() { int v = 1; Calc[] all = Calc.values(); for (int o : ops) { v = all[o].apply(v, o + 2) % 10007; v += all[o].sign.length(); } return v; }
}
