/** Numbers parsed by an own parser that throws for one text in twenty. */
public class HandledNumbers extends Kernel {
  static final class Bad extends RuntimeException { Bad() { super(null, null, false, false); } }
  static final Bad BAD = new Bad();
  static int parsed(String text) {
    int v = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') throw BAD;
      v = 10 * v + c - '0';
    }
    return v;
  }
  int n; String[] texts;
  public void setup(int n) {
    this.n = n; texts = new String[n];
    for (int i = 0; i < n; i++) texts[i] = i % 20 == 7 ? "1x" + i : "" + (i + 1000);
  }
  public double run() {
    long s = 0;
    for (int i = 0; i < n; i++) try { s += parsed(texts[i]); } catch (Bad e) { s--; } finally { s += 2; }
    return s;
  }
}
