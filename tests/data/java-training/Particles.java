/** Particles in an array of objects, moved and bounced. */
public class Particles extends Kernel {
  static final class Particle {
    double x, v;
  }

  int n;
  Particle[] all;

  public void setup(int n) {
    this.n = n;
    all = new Particle[n];
    double[] r = rndd(n, 15);
    for (int i = 0; i < n; i++) {
      all[i] = new Particle();
      all[i].x = r[i] * 0.5;
      all[i].v = r[i] - 0.6;
    }
  }

  public double run() {
    double energy = 0;
    for (int i = 0; i < n; i++) {
      Particle p = all[i];
      p.x += 0.01 * p.v;
      if (p.x < 0.0 || p.x > 1.0) {
        p.v = -p.v;
      }
      energy += 0.5 * p.v * p.v;
    }
    return energy;
  }
}
