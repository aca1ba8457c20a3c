/** A variadic method of objects that joins what it is given. */
public class VariadicText extends Kernel {
  static int joined(StringBuilder out, Object... parts) {
    out.setLength(0);
    for (Object part : parts) { if (part instanceof String s) out.append(s); else out.append(part.hashCode()); out.append(','); }
    return out.length();
  }
  int n; String[] words = {"alpha", "beta", "gamma", "delta"};
  public void setup(int n) { this.n = n; }
  public double run() {
    StringBuilder out = new StringBuilder();
    long s = 0;
    for (int i = 0; i < n; i++) s += joined(out, words[i & 3], i, words[i >> 2 & 3]);
    return s;
  }
}
