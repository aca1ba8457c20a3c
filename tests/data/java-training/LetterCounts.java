/** How often each letter and each pair of letters occurs. */
public class LetterCounts extends Kernel {
  char[] text;
  int[] letters = new int[26], pairs = new int[26 * 26];

  public void setup(int n) {
    int[] codes = rnd(n, 26, 91);
    text = new char[n];
    for (int i = 0; i < n; i++) {
      text[i] = (char) ('a' + codes[i]);
    }
  }

  public double run() {
    int before = 0;
    for (int i = 0; i < text.length; i++) {
      int code = text[i] - 'a';
      letters[code]++;
      pairs[before * 26 + code]++;
      before = code;
    }
    return letters[4] + pairs[30];
  }
}
