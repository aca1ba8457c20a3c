public class Automaton extends Kernel {
  int[] a;
  int n;

  public void setup(int n) {
    this.n = n;
    a = rnd(n, 6, 14);
  }

  public double run() {
    int state = 0, seen = 0;
    for (int i = 0; i < n; i++) {
      switch (a[i]) {
        case 0: state = state == 2 ? 0 : state + 1; break;
        case 1: state = 0; break;
        case 2: seen += state; break;
        default: if (state > 0) state--;
      }
    }
    return seen;
  }
}
