import java.util.*;
public class EventLoop extends Kernel {
  static abstract class Event implements Comparable<Event> { final long time; Event(long t) { time = t; } abstract void fire(EventLoop s); public int compareTo(Event o) { return Long.compare(time, o.time); } }
  static class Arrive extends Event { Arrive(long t) { super(t); } void fire(EventLoop s) { s.waiting++; if (s.waiting == 1) s.q.add(new Leave(time + 3)); } }
  static class Leave extends Event { Leave(long t) { super(t); } void fire(EventLoop s) { s.waiting--; s.served++; if (s.waiting > 0) s.q.add(new Leave(time + 3)); } }
  PriorityQueue<Event> q; int waiting, served, n; int[] gaps; public void setup(int n) { this.n = n; gaps = rnd(n, 7, 1); }
  public double run() { q = new PriorityQueue<>(); waiting = served = 0; long t = 0; for (int g : gaps) q.add(new Arrive(t += g)); while (!q.isEmpty()) q.remove().fire(this); return served; }
}
