/** Counts and sums of values by remainder. */
public class BucketCounts extends Kernel {
  int n;
  int[] data;
  int[] count;
  double[] sum;

  public void setup(int n) {
    this.n = n;
    data = rnd(n, 1 << 20, 9);
    count = new int[97];
    sum = new double[97];
  }

  public double run() {
    for (int k = 0; k < 97; k++) {
      count[k] = 0;
      sum[k] = 0;
    }
    for (int i = 0; i < n; i++) {
      int k = data[i] % 97;
      count[k]++;
      sum[k] += data[i];
    }
    double s = 0;
    for (int k = 0; k < 97; k++) {
      s += sum[k] / Math.max(1, count[k]);
    }
    return s;
  }
}
