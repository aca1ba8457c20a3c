public class HashText extends Kernel {
  char[] text;

  public void setup(int n) {
    text = new char[n];
    int[] r = rnd(n, 96, 33);
    for (int i = 0; i < n; i++) text[i] = (char) (32 + r[i]);
  }

  public double run() {
    int h = 17;
    for (char c : text) h = (h ^ c) * 16777619;
    return h;
  }
}
