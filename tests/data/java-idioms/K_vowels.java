import java.util.*;
public class K_vowels extends Kernel {
  int n;
  String s; char[] cs;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    StringBuilder sb0 = new StringBuilder(); for (int i = 0; i < n; i++) sb0.append((char) ('a' + r.nextInt(26))); s = sb0.toString(); cs = s.toCharArray();
  }
  public double run() {
    int c = 0; for (int i = 0; i < s.length(); i++) { char x = s.charAt(i); if (x == 'a' || x == 'e' || x == 'i' || x == 'o' || x == 'u') c++; } return c;
  }
}
