import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Generic classes, an interface with two implementations, iterators of the program's own. */
public class Shapes<Key extends Comparable<Key>> {
  interface Shape {
    double area();
  }

  static class Circle implements Shape {
    double r;

    public double area() {
      return 3.14 * r * r;
    }
  }

  static class Box implements Shape {
    double a, b;

    public double area() {
      return a * b;
    }
  }

  static class Stack<Item> implements Iterable<Item> {
    private Node<Item> first;
    int n;

    static class Node<Item> {
      Item item;
      Node<Item> next;
    }

    void push(Item item) {
      Node<Item> old = first;
      first = new Node<>();
      first.item = item;
      first.next = old;
      n++;
    }

    Item pop() {
      Item item = first.item;
      first = first.next;
      n--;
      return item;
    }

    public Iterator<Item> iterator() {
      return new Walk<Item>(first);
    }

    static class Walk<Item> implements Iterator<Item> {
      Node<Item> current;

      Walk(Node<Item> first) {
        current = first;
      }

      public boolean hasNext() {
        return current != null;
      }

      public Item next() {
        Item item = current.item;
        current = current.next;
        return item;
      }
    }
  }

  static class Point {
    double x;

    double norm() {
      return Math.sqrt(x * x);
    }
  }

  List<Point> points = new ArrayList<>();
  Map<String, List<Point>> named = new HashMap<>();
  int n;

  double pushed() {
    Stack<Integer> stack = new Stack<>();
    for (int i = 0; i < n; i++) stack.push(i);
    double sum = 0;
    for (int x : stack) sum += x;
    return sum + stack.pop();
  }

  double areas() {
    Shape[] shapes = new Shape[n];
    double sum = 0;
    for (int i = 0; i < n; i++) sum += shapes[i].area();
    return sum;
  }

  double norms() {
    double sum = points.get(0).norm() + named.get("a").get(1).norm();
    for (Point p : points) sum += p.norm();
    for (var entry : named.entrySet()) sum += entry.getValue().get(0).norm();
    return sum;
  }

  int compared(Key a, Key b) {
    if (a == null) throw new IllegalArgumentException("no key: " + b);
    return a.compareTo(b);
  }
}
