import java.util.*;
public class TrieWords extends Kernel {
  static final class Trie { final Map<Character, Trie> next = new HashMap<>(); boolean end; void add(String w) { Trie t = this; for (char c : w.toCharArray()) t = t.next.computeIfAbsent(c, k -> new Trie()); t.end = true; } boolean has(String w) { Trie t = this; for (int i = 0; i < w.length(); i++) { t = t.next.get(w.charAt(i)); if (t == null) return false; } return t.end; } }
  String[] w; public void setup(int n) { w = new String[n]; int[] r = rnd(n, 100000, 4); for (int i = 0; i < n; i++) w[i] = Integer.toString(r[i], 5); }
  public double run() { Trie t = new Trie(); for (String s : w) t.add(s); int c = 0; for (String s : w) if (t.has(s + "1")) c++; return c; }
}
