/** Rotations of the space one after the other, as small matrices that are made anew. */
public class Turns extends Kernel {
  double[] angles;

  public void setup(int n) {
    angles = rndd(n, 17);
  }

  static double[][] product(double[][] a, double[][] b) {
    double[][] c = new double[a.length][b[0].length];
    for (int i = 0; i < a.length; i++) {
      for (int j = 0; j < b[0].length; j++) {
        double sum = 0;
        for (int k = 0; k < b.length; k++) {
          sum += a[i][k] * b[k][j];
        }
        c[i][j] = sum;
      }
    }
    return c;
  }

  public double run() {
    double[][] turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (double a : angles) {
      double c = 1 - a * a / 2, s = a;
      double[][] one = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
      double[][] other = {{1, 0, 0}, {0, c, -s}, {0, s, c}};
      turn = product(product(one, other), turn);
      double trace = turn[0][0] + turn[1][1] + turn[2][2];
      if (trace > 1e6 || trace < -1e6) {
        turn = one;
      }
    }
    return turn[0][1];
  }
}
