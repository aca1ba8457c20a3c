public class SplitJoin extends Kernel {
  String text;

  public void setup(int n) {
    StringBuilder b = new StringBuilder();
    for (int v : rnd(n, 1000, 34)) b.append(v).append(',');
    text = b.toString();
  }

  public double run() {
    String[] parts = text.split(",");
    int total = 0;
    for (String p : parts) total += Integer.parseInt(p);
    return total;
  }
}
