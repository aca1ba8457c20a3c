/** Occurrences of a short word in a text of few letters. */
public class NaiveSearch extends Kernel {
  int n;
  byte[] text, word;

  public void setup(int n) {
    this.n = n;
    text = new byte[n];
    int[] r = rnd(n, 4, 8);
    for (int i = 0; i < n; i++) {
      text[i] = (byte) r[i];
    }
    word = new byte[] {1, 3, 0, 2, 1};
  }

  public double run() {
    int found = 0;
    for (int i = 0; i + word.length <= n; i++) {
      int k = 0;
      while (k < word.length && text[i + k] == word[k]) {
        k++;
      }
      if (k == word.length) {
        found++;
      }
    }
    return found;
  }
}
