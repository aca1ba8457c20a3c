import java.util.*;

public class CountWords extends Kernel {
  String[] words;

  public void setup(int n) {
    words = new String[n];
    int[] r = rnd(n, 300, 24);
    for (int i = 0; i < n; i++) words[i] = "w" + r[i];
  }

  public double run() {
    Map<String, Integer> count = new HashMap<>();
    for (String w : words) count.merge(w, 1, Integer::sum);
    int most = 0;
    for (int v : count.values()) most = Math.max(most, v);
    return most;
  }
}
