import java.util.*;
public class AnagramGroups extends Kernel {
  String[] w; public void setup(int n) { w = new String[n]; Random r = new Random(3); for (int i = 0; i < n; i++) { char[] c = new char[5]; for (int k = 0; k < 5; k++) c[k] = (char) ('a' + r.nextInt(4)); w[i] = new String(c); } }
  public double run() { Map<String, List<String>> g = new HashMap<>(); for (String s : w) { char[] c = s.toCharArray(); Arrays.sort(c); g.computeIfAbsent(String.valueOf(c), k -> new ArrayList<>()).add(s); } int most = 0; for (List<String> l : g.values()) most = Math.max(most, l.size()); return most + g.size(); }
}
