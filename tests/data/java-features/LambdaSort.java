import java.util.ArrayList;
import java.util.List;

/** A lambda handed to List.sort, and one to removeIf. */
public class LambdaSort extends Kernel {
  static final class Task { final int due, size; Task(int due, int size) { this.due = due; this.size = size; } }
  int n; List<Task> tasks;
  public void setup(int n) {
    this.n = n; tasks = new ArrayList<>(); int[] due = rnd(n, 500, 11);
    for (int i = 0; i < n; i++) tasks.add(new Task(due[i], i % 13));
  }
  public double run() {
    List<Task> own = new ArrayList<>(tasks);
    own.removeIf(t -> t.size == 5);
    own.sort((a, b) -> a.due != b.due ? Integer.compare(a.due, b.due) : b.size - a.size);
    return own.get(own.size() / 2).due;
  }
}
