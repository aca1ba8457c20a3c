public class SuffixSort extends Kernel {
  String t; public void setup(int n) { StringBuilder b = new StringBuilder(); for (int x : rnd(n, 3, 1)) b.append("abc".charAt(x)); t = b.toString(); }
  public double run() { Integer[] s = new Integer[t.length()]; for (int i = 0; i < s.length; i++) s[i] = i; java.util.Arrays.sort(s, (a, b) -> t.substring(a).compareTo(t.substring(b))); long v = 0; for (int i = 0; i < s.length; i++) v += (long) i * s[i]; return v; }
}
