/** Three classes of one interface; nine in ten objects are of the one whose method is longest. */
public class SkewedShapes extends Kernel {
  interface Signal { double at(int k); }
  static final class Flat implements Signal { public double at(int k) { return 1.5; } }
  static final class Ramp implements Signal { public double at(int k) { return 0.5 * k; } }
  static final class Series implements Signal {
    public double at(int k) { double s = 0; for (int i = 1; i <= 12; i++) s += 1.0 / (i + k); return s; }
  }
  int n; Signal[] signals;
  public void setup(int n) {
    this.n = n; signals = new Signal[n]; int[] die = rnd(n, 20, 2);
    for (int i = 0; i < n; i++) signals[i] = die[i] == 0 ? new Flat() : die[i] == 1 ? new Ramp() : new Series();
  }
  public double run() {
    double s = 0;
    for (int i = 0; i < n; i++) s += signals[i].at(i);
    return s;
  }
}
