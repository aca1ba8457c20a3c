/** Longest palindrome around every centre of a string. */
public class Palindromes extends Kernel {
  int n;
  String s;

  public void setup(int n) {
    this.n = n;
    StringBuilder b = new StringBuilder();
    int[] r = rnd(n, 3, 5);
    for (int i = 0; i < n; i++) {
      b.append((char) ('a' + r[i]));
    }
    s = b.toString();
  }

  public double run() {
    int best = 0;
    for (int c = 0; c < n; c++) {
      int i = c - 1, j = c + 1;
      while (i >= 0 && j < n && s.charAt(i) == s.charAt(j)) {
        i--;
        j++;
      }
      best = Math.max(best, j - i - 1);
    }
    return best;
  }
}
