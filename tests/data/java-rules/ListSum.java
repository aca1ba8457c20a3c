import java.util.*;

public class ListSum extends Kernel {
  List<Integer> list;

  public void setup(int n) {
    list = new ArrayList<>();
    for (int v : rnd(n, 100000, 23)) list.add(v);
  }

  public double run() {
    long s = 0;
    for (int v : list) s += v;
    for (int i = 0; i < list.size(); i += 2) s -= list.get(i);
    return s;
  }
}
