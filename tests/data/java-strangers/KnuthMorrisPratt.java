public class KnuthMorrisPratt extends Kernel {
  String t, p = "abacabadabacaba"; public void setup(int n) { StringBuilder b = new StringBuilder(); for (int x : rnd(n, 4, 1)) b.append("abcd".charAt(x)); t = b.toString(); }
  int[] table() { int[] f = new int[p.length()]; for (int i = 1, k = 0; i < f.length; i++) { while (k > 0 && p.charAt(i) != p.charAt(k)) k = f[k - 1]; if (p.charAt(i) == p.charAt(k)) k++; f[i] = k; } return f; }
  public double run() { int[] f = table(); int k = 0, c = 0; for (int i = 0; i < t.length(); i++) { while (k > 0 && t.charAt(i) != p.charAt(k)) k = f[k - 1]; if (t.charAt(i) == p.charAt(k)) k++; if (k == f.length) { c++; k = f[k - 1]; } } return c; }
}
