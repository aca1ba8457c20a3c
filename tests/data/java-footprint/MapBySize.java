import java.util.HashMap;
import java.util.Map;

/** Look-ups in a map of boxes, in another order than that of its insertions. */
public class MapBySize extends Kernel {
  Map<Integer, Integer> map;
  int[] asked;
  int n;
  public void setup(int n) {
    this.n = n;
    map = new HashMap<>();
    for (int i = 0; i < n; i++) map.put(i * 7 + 1, i);
    asked = rnd(10000, n, 9);
  }
  public double run() {
    long s = 0;
    for (int i = 0; i < asked.length; i++) s += map.get(asked[i] * 7 + 1);
    return s;
  }
}
