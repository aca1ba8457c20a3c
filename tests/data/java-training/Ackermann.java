/** The function that grows faster than any primitive recursion, with a first argument of 3. */
public class Ackermann extends Kernel {
  int n;

  public void setup(int n) {
    this.n = n;
  }

  static int ack(int m, int k) {
    if (m == 0) {
      return k + 1;
    }
    if (k == 0) {
      return ack(m - 1, 1);
    }
    return ack(m - 1, ack(m, k - 1));
  }

  public double run() {
    return ack(3, n);
  }
}
