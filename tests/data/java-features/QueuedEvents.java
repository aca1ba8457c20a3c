import java.util.PriorityQueue;

/** Events of own classes in a priority queue that compares them. */
public class QueuedEvents extends Kernel {
  static final class Event implements Comparable<Event> {
    final long time; final int kind;
    Event(long time, int kind) { this.time = time; this.kind = kind; }
    @Override public int compareTo(Event o) { return Long.compare(time, o.time); }
  }
  int n;
  public void setup(int n) { this.n = n; }
  public double run() {
    PriorityQueue<Event> queue = new PriorityQueue<>();
    long seed = 17, s = 0;
    for (int i = 0; i < 64; i++) queue.add(new Event(i, i & 3));
    for (int i = 0; i < n; i++) {
      Event e = queue.poll();
      seed = seed * 6364136223846793005L + 1442695040888963407L;
      s += e.kind;
      queue.add(new Event(e.time + 1 + (seed >>> 58), e.kind + 1 & 3));
    }
    return s;
  }
}
