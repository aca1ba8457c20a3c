import java.util.*;

public class HeapTop extends Kernel {
  int[] a;

  public void setup(int n) {
    a = rnd(n, 1 << 20, 25);
  }

  public double run() {
    PriorityQueue<Integer> heap = new PriorityQueue<>();
    for (int v : a) {
      heap.add(v);
      if (heap.size() > 50) heap.poll();
    }
    long s = 0;
    while (!heap.isEmpty()) s += heap.poll();
    return s;
  }
}
