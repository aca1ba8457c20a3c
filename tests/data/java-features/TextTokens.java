/** Calls of the library that few machines have measured: code points, regions, characters. */
public class TextTokens extends Kernel {
  int n; String text;
  public void setup(int n) {
    this.n = n; StringBuilder out = new StringBuilder();
    for (int i = 0; i < n; i++) out.append((char) ('a' + i % 26)).append(i % 7 == 0 ? " " : i % 11 == 0 ? "_" : "");
    text = out.toString();
  }
  public double run() {
    int words = 0, same = 0;
    for (int i = 0; i < text.length(); i++) {
      int c = text.codePointAt(i);
      if (Character.isSpaceChar(c) || !Character.isJavaIdentifierPart(c)) words++;
      if (i + 3 < text.length() && text.regionMatches(true, i, "ABC", 0, 3)) same++;
    }
    return words * 1000.0 + same;
  }
}
