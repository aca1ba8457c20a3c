public class NestedRooms extends Kernel {
  class Room { int size; Room(int s) { size = s; } int worth() { return size * price + Outer.bonus(size); } }
  static class Outer { static int bonus(int s) { return s > 50 ? 7 : 1; } }
  int price = 3; Room[] rooms;
  public void setup(int n) { int[] s = rnd(n, 100, 4); rooms = new Room[n]; for (int i = 0; i < n; i++) rooms[i] = this.new Room(s[i]); }
  public double run() { long w = 0; for (Room r : rooms) w += r.worth(); return w; }
}
