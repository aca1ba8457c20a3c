import java.util.*;
public class SlidingMaximum extends Kernel {
  int[] a; int w;
  public void setup(int n) { a = rnd(n, 1 << 20, 3); w = Math.min(50, n); }
  public double run() { Deque<Integer> d = new ArrayDeque<>(); double s = 0; for (int i = 0; i < a.length; i++) { while (!d.isEmpty() && a[d.peekLast()] <= a[i]) d.pollLast(); d.offerLast(i); if (d.peekFirst() <= i - w) d.pollFirst(); if (i >= w - 1) s += a[d.peekFirst()]; } return s; }
}
