import java.util.*;
import java.util.stream.*;
public class StreamMatrix extends Kernel {
  double[][] m; int n; public void setup(int n) { this.n = n; m = rnd2(n, 1); }
  public double run() { double[] sums = Arrays.stream(m).mapToDouble(r -> Arrays.stream(r).sum()).toArray(); List<Integer> order = IntStream.range(0, n).boxed().sorted(Comparator.comparingDouble(i -> sums[i])).collect(Collectors.toList()); return order.get(0) + DoubleStream.of(sums).max().getAsDouble(); }
}
