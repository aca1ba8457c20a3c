public class ParseNumbers extends Kernel {
  String text;

  public void setup(int n) {
    StringBuilder b = new StringBuilder();
    for (int v : rnd(n, 100000, 32)) b.append(v).append(' ');
    text = b.toString();
  }

  public double run() {
    long sum = 0;
    int value = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ' ') {
        sum += value;
        value = 0;
      } else value = value * 10 + (c - '0');
    }
    return sum;
  }
}
