import java.util.*;
public class K_list extends Kernel {
  int n;
  List<Integer> l;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
    l = new ArrayList<>(); for (int i = 0; i < n; i++) l.add(r.nextInt(1000));
  }
  public double run() {
    int s = 0; for (int x : l) s += x; return s;
  }
}
