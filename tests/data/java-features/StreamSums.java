import java.util.Arrays;
import java.util.stream.IntStream;

/** Streams of numbers with lambdas. */
public class StreamSums extends Kernel {
  int n; int[] a;
  public void setup(int n) { this.n = n; a = rnd(n, 1000, 13); }
  public double run() {
    long even = Arrays.stream(a).filter(v -> v % 2 == 0).mapToLong(v -> (long) v * v).sum();
    int most = IntStream.range(0, n).map(i -> a[i] ^ i).max().getAsInt();
    return even + most;
  }
}
