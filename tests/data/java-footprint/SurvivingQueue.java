/** A ring of objects, each of which lives for many allocations: young collections copy them. */
public class SurvivingQueue extends Kernel {
  static class Job { final long id; final double weight; Job(long id, double weight) { this.id = id; this.weight = weight; } }
  Job[] ring = new Job[1 << 17];
  int n;
  public void setup(int n) {
    this.n = n;
  }
  public double run() {
    double s = 0;
    for (int i = 0; i < n; i++) {
      int at = i & ring.length - 1;
      Job old = ring[at];
      if (old != null) s += old.weight;
      ring[at] = new Job(i, i * 0.5);
    }
    return s;
  }
}
