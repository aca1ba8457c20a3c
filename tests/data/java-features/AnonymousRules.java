/** Rules as anonymous classes in an array, each of which is asked for every value. */
public class AnonymousRules extends Kernel {
  interface Rule { boolean holds(int v); }
  Rule[] rules = {
    new Rule() { public boolean holds(int v) { return v % 3 == 0; } },
    new Rule() { public boolean holds(int v) { int s = 0; while (v > 0) { s += v % 10; v /= 10; } return s > 12; } },
    new Rule() { public boolean holds(int v) { return (v & 4) != 0; } },
  };
  int n; int[] a;
  public void setup(int n) { this.n = n; a = rnd(n, 10_000, 8); }
  public double run() {
    int many = 0;
    for (int i = 0; i < n; i++) for (Rule rule : rules) if (rule.holds(a[i])) many++;
    return many;
  }
}
