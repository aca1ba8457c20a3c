/** A switch expression over an enum, each of whose constants has a method of its own. */
public class SwitchKinds extends Kernel {
  enum Kind {
    PLUS { int of(int a, int b) { return a + b; } },
    TIMES { int of(int a, int b) { return a * b; } },
    POWER { int of(int a, int b) { int p = 1; for (int i = 0; i < (b & 7); i++) p *= a; return p; } };
    abstract int of(int a, int b);
  }
  int n; Kind[] kinds;
  public void setup(int n) {
    this.n = n; kinds = new Kind[n]; int[] die = rnd(n, 3, 9);
    for (int i = 0; i < n; i++) kinds[i] = Kind.values()[die[i]];
  }
  public double run() {
    long s = 0;
    for (int i = 0; i < n; i++) {
      int weight = switch (kinds[i]) { case PLUS -> 1; case TIMES -> 2; case POWER -> 3; };
      s += weight * kinds[i].of(i & 15, i >> 4 & 15);
    }
    return s;
  }
}
