import java.util.function.*;
public class GenericTree<X> extends Kernel {
  static class Node<K extends Comparable<K>, V> { K key; V value; Node<K, V> left, right; Node(K k, V v) { key = k; value = v; } }
  static class Tree<K extends Comparable<K>, V> {
    Node<K, V> root; int size;
    void put(K k, V v) { root = put(root, k, v); }
    private Node<K, V> put(Node<K, V> at, K k, V v) { if (at == null) { size++; return new Node<>(k, v); } int c = k.compareTo(at.key); if (c < 0) at.left = put(at.left, k, v); else if (c > 0) at.right = put(at.right, k, v); else at.value = v; return at; }
    V get(K k) { Node<K, V> at = root; while (at != null) { int c = k.compareTo(at.key); if (c == 0) return at.value; at = c < 0 ? at.left : at.right; } return null; }
    void each(BiConsumer<K, V> f) { each(root, f); }
    private void each(Node<K, V> at, BiConsumer<K, V> f) { if (at == null) return; each(at.left, f); f.accept(at.key, at.value); each(at.right, f); }
  }
  int[] keys; double total;
  public void setup(int n) { keys = rnd(n, 4 * n, 9); }
  public double run() { Tree<Integer, Integer> t = new Tree<>(); for (int k : keys) t.put(k, k * 2); total = 0; t.each((k, v) -> total += v - k); for (int k : keys) total += t.get(k); return total; }
}
