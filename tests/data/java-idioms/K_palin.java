import java.util.*;
public class K_palin extends Kernel {
  int n;
  String s; char[] cs;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    StringBuilder sb0 = new StringBuilder(); for (int i = 0; i < n; i++) sb0.append((char) ('a' + r.nextInt(26))); s = sb0.toString(); cs = s.toCharArray();
  }
  public double run() {
    int c = 0; for (int i = 0, j = cs.length - 1; i < j; i++, j--) if (cs[i] == cs[j]) c++; return c;
  }
}
