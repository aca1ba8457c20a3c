public class RecordMatrix extends Kernel {
  record Complex(double re, double im) { Complex plus(Complex o) { return new Complex(re + o.re, im + o.im); } Complex times(Complex o) { return new Complex(re * o.re - im * o.im, re * o.im + im * o.re); } double norm() { return re * re + im * im; } }
  Complex[] c;
  public void setup(int n) { double[] r = rndd(n, 1), i = rndd(n, 2); c = new Complex[n]; for (int k = 0; k < n; k++) c[k] = new Complex(r[k] - .6, i[k] - .6); }
  public double run() { double s = 0; for (Complex x : c) { Complex z = new Complex(0, 0); int k = 0; while (k < 20 && z.norm() < 4) { z = z.times(z).plus(x); k++; } s += k; } return s; }
}
