public class Vowels extends Kernel {
  String text;

  public void setup(int n) {
    StringBuilder b = new StringBuilder();
    for (int v : rnd(n, 26, 30)) b.append((char) ('a' + v));
    text = b.toString();
  }

  public double run() {
    int found = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u') found++;
    }
    return found;
  }
}
