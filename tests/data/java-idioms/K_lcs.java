import java.util.*;
public class K_lcs extends Kernel {
  int n;
  String s; char[] cs;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    StringBuilder sb0 = new StringBuilder(); for (int i = 0; i < n; i++) sb0.append((char) ('a' + r.nextInt(26))); s = sb0.toString(); cs = s.toCharArray();
  }
  public double run() {
    int m = 256; int[][] t = new int[m + 1][m + 1]; for (int i = 1; i <= m; i++) for (int j = 1; j <= m; j++) t[i][j] = cs[i] == cs[j + n / 2] ? t[i - 1][j - 1] + 1 : Math.max(t[i - 1][j], t[i][j - 1]); return t[m][m];
  }
}
