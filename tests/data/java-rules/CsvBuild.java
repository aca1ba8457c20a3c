public class CsvBuild extends Kernel {
  int[] a;

  public void setup(int n) {
    a = rnd(n, 1000000, 31);
  }

  public double run() {
    StringBuilder b = new StringBuilder();
    for (int i = 0; i < a.length; i++) {
      b.append(i).append(';').append(a[i]);
      if (i % 4 == 3) b.append('\n');
    }
    return b.length();
  }
}
