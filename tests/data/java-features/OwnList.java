import java.util.Iterator;

/** An enhanced for over an own linked list with its own iterator class. */
public class OwnList extends Kernel {
  static final class Chain<Element> implements Iterable<Element> {
    static final class Link<Element> { Element value; Link<Element> next; }
    Link<Element> first;
    void add(Element v) { Link<Element> link = new Link<>(); link.value = v; link.next = first; first = link; }
    final class Walk implements Iterator<Element> {
      Link<Element> at = first;
      public boolean hasNext() { return at != null; }
      public Element next() { Element v = at.value; at = at.next; return v; }
    }
    public Iterator<Element> iterator() { return new Walk(); }
  }
  static final class Item { final int price; Item(int price) { this.price = price; } int price() { return price; } }
  int n; Chain<Item> chain;
  public void setup(int n) { this.n = n; chain = new Chain<>(); for (int i = 0; i < n; i++) chain.add(new Item(i % 97)); }
  public double run() {
    long s = 0;
    for (Item item : chain) s += item.price();
    return s;
  }
}
