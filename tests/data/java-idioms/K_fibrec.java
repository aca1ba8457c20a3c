import java.util.*;
public class K_fibrec extends Kernel {
  int n;
  public void setup(int n) {
    this.n = n;
    Random r = new Random(5);
  }
  public double run() {
    return fib(20);
  }
  static int fib(int k) { return k < 2 ? k : fib(k - 1) + fib(k - 2); }
}
