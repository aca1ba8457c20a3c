import java.util.Random;

/** What is validated: setup(n) prepares, run() is timed. Its helpers fill arrays with random numbers. */
public abstract class Kernel {
  public abstract void setup(int n);

  public abstract double run();

  public static int[] rnd(int n, int m, long seed) {
    Random random = new Random(seed);
    int[] a = new int[n];
    for (int i = 0; i < n; i++) a[i] = random.nextInt(m);
    return a;
  }

  public static double[] rndd(int n, long seed) {
    Random random = new Random(seed);
    double[] a = new double[n];
    for (int i = 0; i < n; i++) a[i] = random.nextDouble() + 0.1;
    return a;
  }

  public static double[][] rnd2(int n, long seed) {
    double[][] a = new double[n][];
    for (int i = 0; i < n; i++) a[i] = rndd(n, seed + i);
    return a;
  }
}
