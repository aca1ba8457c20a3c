import java.util.*;
public class ListIterators extends Kernel {
  List<Integer> l; int n; public void setup(int n) { this.n = n; }
  public double run() { l = new LinkedList<>(); for (int i = 0; i < n; i++) l.add(i); for (Iterator<Integer> it = l.iterator(); it.hasNext(); ) if (it.next() % 3 == 0) it.remove(); ListIterator<Integer> li = l.listIterator(); while (li.hasNext()) { int v = li.next(); li.set(v * 2); } l.removeIf(x -> x % 5 == 0); int s = 0; for (int x : l) s += x; return s; }
}
