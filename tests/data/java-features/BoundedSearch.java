/** Binary search over a bounded type variable: the comparison is that of an own class. */
public class BoundedSearch extends Kernel {
  static final class Version implements Comparable<Version> {
    final int major, minor;
    Version(int major, int minor) { this.major = major; this.minor = minor; }
    public int compareTo(Version o) { return major != o.major ? major - o.major : minor - o.minor; }
  }
  static <Item extends Comparable<Item>> int find(Item[] sorted, Item wanted) {
    int low = 0, high = sorted.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int c = sorted[middle].compareTo(wanted);
      if (c == 0) return middle;
      if (c < 0) low = middle + 1; else high = middle - 1;
    }
    return -1;
  }
  int n; Version[] versions;
  public void setup(int n) {
    this.n = n; versions = new Version[n];
    for (int i = 0; i < n; i++) versions[i] = new Version(i / 10, i % 10);
  }
  public double run() {
    long s = 0;
    for (int i = 0; i < n; i++) s += find(versions, versions[(int) (i * 7919L % n)]);
    return s;
  }
}
