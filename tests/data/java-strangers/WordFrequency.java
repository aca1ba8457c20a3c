import java.util.*;
public class WordFrequency extends Kernel {
  String text;
  public void setup(int n) { int[] r = rnd(n, 50, 2); StringBuilder b = new StringBuilder(); for (int x : r) b.append("word").append(x).append(' '); text = b.toString(); }
  public double run() { Map<String, Integer> counts = new TreeMap<>(); for (String w : text.split(" ")) counts.merge(w, 1, Integer::sum); int best = 0; for (var e : counts.entrySet()) if (e.getValue() > best) best = e.getValue(); return best; }
}
