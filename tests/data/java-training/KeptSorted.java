/** Keeps a list of times sorted: each new one moves the later ones up. */
public class KeptSorted extends Kernel {
  int[] arrivals, list;

  public void setup(int n) {
    arrivals = rnd(n, 1 << 20, 23);
    list = new int[n];
  }

  public double run() {
    int size = 0;
    for (int time : arrivals) {
      int k = size++;
      while (k > 0 && list[k - 1] > time) {
        list[k] = list[k - 1];
        k--;
      }
      list[k] = time;
    }
    return list[size / 2];
  }
}
