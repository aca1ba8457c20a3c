import java.util.HashMap;
import java.util.Map;

/** Records as keys of a map: their own hashCode and equals are called by the library. */
public class RecordKeys extends Kernel {
  record Cell(int row, int column) {}
  int n; Map<Cell, Integer> seen;
  public void setup(int n) { this.n = n; }
  public double run() {
    seen = new HashMap<>();
    int again = 0;
    for (int i = 0; i < n; i++) {
      Cell cell = new Cell(i % 101, i % 37);
      Integer before = seen.put(cell, i);
      if (before != null) again++;
    }
    return again + seen.size();
  }
}
