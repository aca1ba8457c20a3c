import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/** What a young collection takes for each byte that is alive and has to be copied. */
public class Young {
  static final int OBJECTS = 1 << 16, BYTES = 32, COLLECTIONS = 8;
  static final GarbageCollectorMXBean COLLECTOR = ManagementFactory.getGarbageCollectorMXBeans().get(0);
  static Object garbage;

  /** 32 bytes with their header. */
  static class Linked {
    final long number;
    final Linked next, other;

    Linked(long number, Linked next) {
      this.number = number;
      this.next = next;
      this.other = this;
    }
  }

  /** Seconds of a collection that copies so many objects. */
  static double collection(int objects) {
    long before = COLLECTOR.getCollectionTime();
    for (int k = 0; k < COLLECTIONS; k++) {
      Linked alive = null;
      for (int i = 0; i < objects; i++) alive = new Linked(i, alive);
      long collected = COLLECTOR.getCollectionCount();
      while (COLLECTOR.getCollectionCount() == collected) garbage = new byte[1 << 18];
      Harness.consumed += alive == null ? 0 : alive.number;
    }
    return (COLLECTOR.getCollectionTime() - before) * 1e-3 / COLLECTIONS;
  }

  static void print(int samples) {
    collection(OBJECTS);
    StringBuilder line = new StringBuilder("copy_byte");
    for (int i = 0; i < samples; i++) {
      double none = collection(0), all = collection(OBJECTS);
      line.append(' ').append(Math.max(all - none, 0.05 * all) / (OBJECTS * BYTES));
    }
    System.out.println(line);
  }
}
