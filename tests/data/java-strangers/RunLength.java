public class RunLength extends Kernel {
  String text;
  public void setup(int n) { StringBuilder b = new StringBuilder(); int[] r = rnd(n, 3, 1); for (int x : r) b.append((char) ('a' + x)); text = b.toString(); }
  public double run() { StringBuilder out = new StringBuilder(); int i = 0; while (i < text.length()) { char c = text.charAt(i); int j = i; while (j < text.length() && text.charAt(j) == c) j++; out.append(c).append(j - i); i = j; } return out.length() + out.toString().hashCode() % 7; }
}
