public class LocalClasses extends Kernel {
  int n; public void setup(int n) { this.n = n; }
  public double run() { final int base = n % 7; class Acc { long sum; void add(int x) { sum += x % (base + 2); } long get() { return sum; } } record Pair(int a, int b) { int mix() { return a * 31 ^ b; } } Acc acc = new Acc(); for (int i = 0; i < n; i++) acc.add(new Pair(i, n - i).mix() & 0xff); return acc.get(); }
}
