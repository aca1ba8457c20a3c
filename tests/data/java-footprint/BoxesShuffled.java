import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Boxes in a list, in any order of their allocation. */
public class BoxesShuffled extends Kernel {
  List<Integer> boxes = new ArrayList<>();
  public void setup(int n) {
    for (int i = 0; i < n; i++) boxes.add(1000 + i);
    Collections.shuffle(boxes, new Random(8));
  }
  public double run() {
    long s = 0;
    for (int i = 0; i < boxes.size(); i++) s += boxes.get(i);
    return s;
  }
}
