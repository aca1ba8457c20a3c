/** An object with state in fields and small methods. */
public class Counter extends Kernel {
  static final class Register {
    int value, carries;

    void add(int v) {
      value += v;
      if (value >= 1000) {
        value -= 1000;
        carries++;
      }
    }
  }

  int n;
  Register register;

  public void setup(int n) {
    this.n = n;
    register = new Register();
  }

  public double run() {
    register.value = 0;
    register.carries = 0;
    for (int i = 0; i < n; i++) {
      register.add(i & 63);
    }
    return register.carries;
  }
}
