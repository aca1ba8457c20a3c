public class Accounts extends Kernel {
  Account[] all;
  int[] from, to;
  int n;

  public void setup(int n) {
    this.n = n;
    all = new Account[n];
    for (int i = 0; i < n; i++) all[i] = new Account(100);
    from = rnd(n, n, 17);
    to = rnd(n, n, 18);
  }

  public double run() {
    int refused = 0;
    for (int i = 0; i < n; i++) {
      Account a = all[from[i]], b = all[to[i]];
      if (a.balance >= 10) {
        a.balance -= 10;
        b.balance += 10;
      } else refused++;
    }
    return refused;
  }

  static class Account {
    long balance;

    Account(long balance) {
      this.balance = balance;
    }
  }
}
