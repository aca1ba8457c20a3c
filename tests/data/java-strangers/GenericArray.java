public class GenericArray<T> extends Kernel {
  static class Vec<E> implements java.util.RandomAccess { private Object[] data = new Object[4]; private int size; void add(E e) { if (size == data.length) grow(); data[size++] = e; } private void grow() { data = java.util.Arrays.copyOf(data, data.length * 2); } @SuppressWarnings("unchecked") E get(int i) { if (i >= size) throw new IndexOutOfBoundsException("no " + i); return (E) data[i]; } int size() { return size; } }
  int n; public void setup(int n) { this.n = n; }
  public double run() { Vec<Integer> v = new Vec<>(); for (int i = 0; i < n; i++) v.add(i * i % 31); long s = 0; for (int i = 0; i < v.size(); i++) s += v.get(i); return s; }
}
