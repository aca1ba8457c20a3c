/** Moves of the towers, counted by recursion. */
public class Hanoi extends Kernel {
  int n;
  long moves;

  public void setup(int n) {
    this.n = n;
  }

  void move(int k, int from, int to, int by) {
    if (k == 0) {
      return;
    }
    move(k - 1, from, by, to);
    moves += from ^ to;
    move(k - 1, by, to, from);
  }

  public double run() {
    moves = 0;
    move(n, 1, 3, 2);
    return moves;
  }
}
