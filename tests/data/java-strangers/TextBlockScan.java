public class TextBlockScan extends Kernel {
  static final String POEM = """
      The quick brown fox
        jumps over the lazy dog,
      "again" and again \
      until the end.
      """;
  int n; public void setup(int n) { this.n = n; }
  public double run() { int vowels = 0; for (int r = 0; r < n; r++) for (char c : POEM.toCharArray()) switch (c) { case 'a', 'e', 'i', 'o', 'u' -> vowels++; default -> { } } return vowels; }
}
