/** A class whose type variable has a long name, with calls of methods of what it holds. */
public class GenericRing extends Kernel {
  interface Weighted { int weight(); }
  static final class Parcel implements Weighted {
    final int grams;
    Parcel(int grams) { this.grams = grams; }
    public int weight() { return grams * 3 + 1; }
  }
  static final class Ring<Content extends Weighted> {
    final Object[] slots;
    int head;
    Ring(int capacity) { slots = new Object[capacity]; }
    void put(Content one) { slots[head] = one; head = (head + 1) % slots.length; }
    @SuppressWarnings("unchecked") Content at(int k) { return (Content) slots[k]; }
    long total() { long s = 0; for (int k = 0; k < slots.length; k++) if (at(k) != null) s += at(k).weight(); return s; }
  }
  int n; Ring<Parcel> ring; Parcel[] parcels;
  public void setup(int n) {
    this.n = n; ring = new Ring<>(512); parcels = new Parcel[64];
    for (int i = 0; i < parcels.length; i++) parcels[i] = new Parcel(i);
  }
  public double run() {
    for (int i = 0; i < n; i++) ring.put(parcels[i & 63]);
    return ring.total();
  }
}
