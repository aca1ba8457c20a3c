/** Levenshtein distance with two rows. */
public class EditDistance extends Kernel {
  int n;
  char[] s, t;

  public void setup(int n) {
    this.n = n;
    s = new char[n];
    t = new char[n];
    int[] a = rnd(n, 4, 1), b = rnd(n, 4, 2);
    for (int i = 0; i < n; i++) {
      s[i] = (char) ('a' + a[i]);
      t[i] = (char) ('a' + b[i]);
    }
  }

  public double run() {
    int[] last = new int[n + 1];
    int[] now = new int[n + 1];
    for (int j = 0; j <= n; j++) {
      last[j] = j;
    }
    for (int i = 1; i <= n; i++) {
      now[0] = i;
      for (int j = 1; j <= n; j++) {
        int cost = s[i - 1] == t[j - 1] ? 0 : 1;
        now[j] = Math.min(Math.min(now[j - 1] + 1, last[j] + 1), last[j - 1] + cost);
      }
      int[] swap = last;
      last = now;
      now = swap;
    }
    return last[n];
  }
}
