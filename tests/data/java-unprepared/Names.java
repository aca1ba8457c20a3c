/** Names of the modelling language as fields, formals and variables. */
public class Names {
  static final int R = 256;
  private final int L, tasks;
  int sum, par;

  Names(int L, int tasks) {
    this.L = L;
    this.tasks = tasks;
  }

  long seq() {
    long use = 0;
    for (int i = R; i < L; i++) for (int delay = 0; delay < tasks; delay++) use += Math.round(i * 0.5f) + sum;
    for (int P = 0; P < par; P++) use ^= P;
    return use;
  }
}
