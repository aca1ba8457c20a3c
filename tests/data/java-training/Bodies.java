/** Bodies that attract each other: objects with fields, all pairs, 60 steps. */
public class Bodies extends Kernel {
  static final class Body {
    double x, y, z, vx, vy, vz, mass;
  }

  int n;
  Body[] bodies;

  public void setup(int n) {
    this.n = n;
    bodies = new Body[n];
    for (int i = 0; i < n; i++) {
      bodies[i] = new Body();
      bodies[i].x = i;
      bodies[i].y = i % 7;
      bodies[i].z = i % 3;
      bodies[i].mass = 0.001 * (1 + i % 5);
    }
  }

  public double run() {
    for (int step = 0; step < 60; step++) {
      for (int i = 0; i < n; i++) {
        Body a = bodies[i];
        for (int j = i + 1; j < n; j++) {
          Body b = bodies[j];
          double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
          double square = dx * dx + dy * dy + dz * dz + 0.01;
          double force = 0.001 / (square * Math.sqrt(square));
          a.vx -= dx * b.mass * force;
          a.vy -= dy * b.mass * force;
          a.vz -= dz * b.mass * force;
          b.vx += dx * a.mass * force;
          b.vy += dy * a.mass * force;
          b.vz += dz * a.mass * force;
        }
      }
      for (int i = 0; i < n; i++) {
        Body a = bodies[i];
        a.x += 0.001 * a.vx;
        a.y += 0.001 * a.vy;
        a.z += 0.001 * a.vz;
      }
    }
    return bodies[0].x;
  }
}
