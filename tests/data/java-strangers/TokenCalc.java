public class TokenCalc extends Kernel {
  String text; int at; public void setup(int n) { StringBuilder b = new StringBuilder("1"); for (int i = 0; i < n; i++) b.append(i % 4 == 0 ? "+(" + i % 9 + "*2)" : "-" + i % 7); text = b.toString(); }
  int expr() { int v = term(); while (at < text.length()) { char c = text.charAt(at); if (c == '+') { at++; v += term(); } else if (c == '-') { at++; v -= term(); } else break; } return v; }
  int term() { int v = factor(); while (at < text.length() && text.charAt(at) == '*') { at++; v *= factor(); } return v; }
  int factor() { if (text.charAt(at) == '(') { at++; int v = expr(); at++; return v; } int v = 0; while (at < text.length() && Character.isDigit(text.charAt(at))) v = v * 10 + (text.charAt(at++) - '0'); return v; }
  public double run() { at = 0; return expr(); }
}
