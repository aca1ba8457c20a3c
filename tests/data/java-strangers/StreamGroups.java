import java.util.*;
import java.util.stream.*;
public class StreamGroups extends Kernel {
  List<String> words; 
  public void setup(int n) { words = IntStream.range(0, n).mapToObj(i -> "w" + (i * 7919 % 101)).collect(Collectors.toList()); }
  public double run() { Map<Integer, Long> by = words.stream().filter(w -> w.length() > 1).collect(Collectors.groupingBy(String::length, Collectors.counting())); double s = 0; for (Map.Entry<Integer, Long> e : by.entrySet()) s += e.getKey() * e.getValue(); return s; }
}
