/** Means and spread of whole numbers, each converted where it is used. */
public class Grades extends Kernel {
  int[] grades;
  double[] scaled;

  public void setup(int n) {
    grades = rnd(n, 100, 71);
    scaled = new double[n];
  }

  public double run() {
    double sum = 0;
    for (int i = 0; i < grades.length; i++) {
      double g = grades[i];
      scaled[i] = (g * 0.01 + 0.1) * g;
      sum += g;
    }
    double mean = sum / grades.length, spread = 0;
    for (int i = 0; i < grades.length; i++) {
      double d = grades[i] - mean;
      spread += d * d;
    }
    return spread + scaled[3];
  }
}
