import java.util.*;
public class PermuteStrings extends Kernel {
  int n; public void setup(int n) { this.n = n; }
  void permute(String prefix, String rest, List<String> out) { if (rest.isEmpty()) { out.add(prefix); return; } for (int i = 0; i < rest.length(); i++) permute(prefix + rest.charAt(i), rest.substring(0, i) + rest.substring(i + 1), out); }
  public double run() { List<String> out = new ArrayList<>(); permute("", "abcdefghij".substring(0, n), out); return out.size(); }
}
