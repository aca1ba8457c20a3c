/** Objects in the order of the array that lists them, changed in place. */
public class PointsInOrder extends Kernel {
  static class Particle { double x, y, vx, vy; void move(double dt) { x += vx * dt; y += vy * dt; } }
  Particle[] all;
  public void setup(int n) {
    double[] start = rndd(n, 4);
    all = new Particle[n];
    for (int i = 0; i < n; i++) { all[i] = new Particle(); all[i].x = start[i]; all[i].vx = 0.5; all[i].vy = 0.1; }
  }
  public double run() {
    for (Particle p : all) p.move(0.01);
    return all[0].x;
  }
}
