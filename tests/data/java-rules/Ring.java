public class Ring extends Kernel {
  double[] in;
  int n;

  public void setup(int n) {
    this.n = n;
    in = rndd(n, 22);
  }

  public double run() {
    Buffer buffer = new Buffer(64);
    double s = 0;
    for (int i = 0; i < n; i++) {
      buffer.put(in[i]);
      if (buffer.full()) s += buffer.take();
    }
    return s;
  }

  static class Buffer {
    final double[] slots;
    int head, size;

    Buffer(int capacity) {
      slots = new double[capacity];
    }

    void put(double v) {
      slots[(head + size) % slots.length] = v;
      size++;
    }

    boolean full() {
      return size == slots.length;
    }

    double take() {
      double v = slots[head];
      head = (head + 1) % slots.length;
      size--;
      return v;
    }
  }
}
