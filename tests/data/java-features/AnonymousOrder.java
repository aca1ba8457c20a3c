import java.util.Arrays;
import java.util.Comparator;

/** A sort of objects by an anonymous comparator. */
public class AnonymousOrder extends Kernel {
  static final class Job { final int rank, id; Job(int rank, int id) { this.rank = rank; this.id = id; } }
  int n; Job[] jobs;
  public void setup(int n) {
    this.n = n; int[] ranks = rnd(n, 1000, 4); jobs = new Job[n];
    for (int i = 0; i < n; i++) jobs[i] = new Job(ranks[i], i);
  }
  public double run() {
    Job[] own = Arrays.copyOf(jobs, n);
    Arrays.sort(own, new Comparator<Job>() {
      @Override public int compare(Job a, Job b) { return a.rank != b.rank ? a.rank - b.rank : a.id - b.id; }
    });
    return own[n / 2].id;
  }
}
