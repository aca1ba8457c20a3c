import java.util.*;
public class Combinations extends Kernel {
  int n; public void setup(int n) { this.n = n; }
  static void choose(int[] a, int start, int left, LinkedList<Integer> chosen, List<List<Integer>> all) { if (left == 0) { all.add(new ArrayList<>(chosen)); return; } for (int i = start; i <= a.length - left; i++) { chosen.addLast(a[i]); choose(a, i + 1, left - 1, chosen, all); chosen.removeLast(); } }
  public double run() { int[] a = new int[n]; for (int i = 0; i < n; i++) a[i] = i; List<List<Integer>> all = new ArrayList<>(); choose(a, 0, 4, new LinkedList<>(), all); return all.size(); }
}
