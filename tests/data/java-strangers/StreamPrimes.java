import java.util.stream.*;
public class StreamPrimes extends Kernel {
  int n; public void setup(int n) { this.n = n; }
  public double run() { return IntStream.rangeClosed(2, n).filter(i -> IntStream.rangeClosed(2, (int) Math.sqrt(i)).noneMatch(d -> i % d == 0)).sum(); }
}
