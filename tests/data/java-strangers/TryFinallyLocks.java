public class TryFinallyLocks extends Kernel {
  private final java.util.concurrent.locks.ReentrantLock lock = new java.util.concurrent.locks.ReentrantLock(); int[] a; long total;
  public void setup(int n) { a = rnd(n, 100, 1); }
  void add(int x) { lock.lock(); try { if (x < 0) return; total += x; } finally { lock.unlock(); } }
  public double run() { total = 0; for (int x : a) add(x); return total; }
}
