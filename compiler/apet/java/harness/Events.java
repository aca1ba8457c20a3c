import java.util.ArrayList;
import java.util.Random;

/** What a core cannot overlap: mispredictions, loop entries, calls, allocation, library calls. */
public class Events {
  static final int MANY = 1 << 18, HALF_LEARNT = 1 << 16;
  static int[] random, sorted;
  static final Random DICE = new Random(5);
  static Object lock = new Object(), something = "text";
  static final ArrayList<Integer> LIST = new ArrayList<>();
  static final Object[] SEVERAL = {"text", 7, 'c', true};
  static String left = "left", right = "right";

  static void register() {
    random = new int[MANY];
    sorted = new int[MANY];
    Random r = new Random(3);
    for (int i = 0; i < MANY; i++) {
      random[i] = r.nextInt(1 << 20);
      sorted[i] = i < MANY / 2 ? 0 : 1 << 20;
    }
    for (int i = 0; i < 64; i++) LIST.add(i);
    Harness.add("branch_unpredicted", n -> branches(n, random, MANY - 1));
    Harness.add("branch_predicted", n -> branches(n, sorted, MANY - 1));
    Harness.add("branch_half_learnt", n -> branches(n, random, HALF_LEARNT - 1));
    Harness.add("call_static", n -> calls(n));
    Harness.add("no_call", n -> noCalls(n));
    Harness.add("call_recursive", n -> recursions(n));
    Harness.add("call_looping", n -> visits(n));
    Harness.add("new_16", n -> allocate(n, 2));
    Harness.add("new_4096", n -> allocate(n, 1022));
    Harness.add("new_object", n -> objects(n));
    Harness.add("new_rows_2", n -> matrices(n, few));
    Harness.add("new_rows_10", n -> matrices(n, many));
    for (int i = 0; i < ANY.length; i++) ANY[i] = SHAPES[r.nextInt(4)];
    Harness.add("call_virtual", n -> areas(n, SHAPES));
    Harness.add("virtual_unpredicted", n -> areas(n, ANY));
    Harness.add("call_random", n -> { double s = 0; for (int i = 0; i < n; i++) s += DICE.nextDouble(); return s; });
    Harness.add("call_random_int", n -> { int s = 0; for (int i = 0; i < n; i++) s += DICE.nextInt(1000); return s; });
    Harness.add("call_random_long", n -> { long s = 0; for (int i = 0; i < n; i++) s += DICE.nextLong(); return s; });
    Harness.add("call_random_float", n -> { float s = 0; for (int i = 0; i < n; i++) s += DICE.nextFloat(); return s; });
    Harness.add("call_random_boolean", n -> { int s = 0; for (int i = 0; i < n; i++) s += DICE.nextBoolean() ? 1 : 0; return s; });
    Harness.add("call_random_gaussian", n -> { double s = 0; for (int i = 0; i < n; i++) s += DICE.nextGaussian(); return s; });
    Harness.add("call_System_nanoTime", n -> { long s = 0; for (int i = 0; i < n; i++) s += System.nanoTime(); return s; });
    Harness.add("call_System_currentTimeMillis", n -> { long s = 0; for (int i = 0; i < n; i++) s += System.currentTimeMillis(); return s; });
    Harness.add("concat_string", n -> { int s = 0; for (int i = 0; i < n; i++) s += (left + right).length(); return s; });
    Harness.add("call_ArrayList_add", n -> adds(n));
    Harness.add("call_ArrayList_get", n -> { int s = 0; for (int i = 0; i < n; i++) s += LIST.get(i & 63); return s; });
    Harness.add("call_ArrayList_size", n -> { int s = 0; for (int i = 0; i < n; i++) s += LIST.size() ^ i; return s; });
    Harness.add("next_iterator", n -> iterates(n));
    Harness.add("append_char", n -> appends(n));
    Harness.add("char_at", n -> charsAt(n));
    Harness.add("copy_4096", n -> copies(n, 4096));
    Harness.add("copy_64", n -> copies(n, 64));
    Harness.add("monitor", n -> { int s = 0; for (int i = 0; i < n; i++) synchronized (lock) { s += i; } return s; });
    Harness.add("instanceof", n -> { int s = 0; for (int i = 0; i < n; i++) { if (something instanceof String) s += i; else s -= i; } return s; });
    Harness.add("instanceof_absent", n -> { int s = 0; for (int i = 0; i < n; i++) { if (SEVERAL[i & 3] instanceof Runnable) s += i; else s -= i; } return s; });
    Harness.add("switch", n -> switches(n));
    Harness.add("throw", n -> { int s = 0; for (int i = 0; i < n; i++) { try { if ((i & 1) >= 0) throw new IllegalStateException(); } catch (IllegalStateException e) { s++; } } return s; });
  }

  static double branches(int n, int[] data, int mask) {
    int s = 0, limit = 1 << 19;
    double y = Harness.Y, t = 0;
    for (int i = 0; i < n; i++) {
      if (data[i & mask] < limit) { s += 3; t += y; } else { s ^= 5; t -= y; }
    }
    return s + t;
  }

  static int deep(int k) {
    return k < 2 ? k : deep(k - 1) + deep(k - 2);
  }

  /** 21,891 calls of a recursive method (Fibonacci of 20). */
  static double recursions(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += deep(20);
    return s;
  }

  static int visited;

  /** 131,071 calls of a recursive method that calls itself from a loop and counts in a field. */
  static double visits(int n) {
    for (int i = 0; i < n; i++) visit(16);
    return visited;
  }

  static void visit(int k) {
    visited++;
    if (k == 0) return;
    for (int i = 0; i < 2; i++) visit(k - 1);
  }

  static int plus(int a, int b) {
    return a + b;
  }

  static double calls(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s = plus(s, i) ^ Harness.X;
    return s;
  }

  static double noCalls(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s = (s + i) ^ Harness.X;
    return s;
  }

  static int[] kept;

  static double allocate(int n, int length) {
    int s = 0;
    for (int i = 0; i < n; i++) {
      kept = new int[length];
      s += kept.length;
    }
    return s;
  }

  static final class Pair {
    final int first;
    final Object second;

    Pair(int first, Object second) {
      this.first = first;
      this.second = second;
    }
  }

  static Pair pair;

  static double objects(int n) {
    for (int i = 0; i < n; i++) pair = new Pair(i, lock);
    return pair.first;
  }

  static int[][] matrix;
  static int few = 2, many = 10; // no constants, which the compiler would make single arrays of

  /** Arrays of small arrays, as many as only the run knows. */
  static double matrices(int n, int rows) {
    int s = 0;
    for (int i = 0; i < n; i++) {
      matrix = new int[rows][2];
      s += matrix.length;
    }
    return s;
  }

  abstract static class Shape {
    int side = 3;
    abstract int area(int k);
  }

  static final class Square extends Shape { int area(int k) { return side * k; } }
  static final class Bar extends Shape { int area(int k) { return side + k; } }
  static final class Line extends Shape { int area(int k) { return k; } }
  static final class Frame extends Shape { int area(int k) { return 4 * side ^ k; } }

  static final Shape[] SHAPES = {new Square(), new Bar(), new Line(), new Frame()}, ANY = new Shape[HALF_LEARNT];

  /** Calls of one of four methods, in turn or in any order: too many classes to ask for one by one. */
  static double areas(int n, Shape[] shapes) {
    int s = 0, mask = shapes.length - 1;
    for (int i = 0; i < n; i++) s += shapes[i & mask].area(i);
    return s;
  }

  static double adds(int n) {
    ArrayList<Integer> list = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      if ((i & 1023) == 0) list = new ArrayList<>();
      list.add(i & 63);
    }
    return list.size();
  }

  static double appends(int n) {
    StringBuilder b = new StringBuilder();
    for (int i = 0; i < n; i++) {
      if ((i & 1023) == 0) b.setLength(0);
      b.append((char) (65 + (i & 15)));
    }
    return b.length();
  }

  static final String LINE = "an ordinary line of text that is sixty-four characters long, yes";

  static double charsAt(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += LINE.charAt(i & 63);
    return s;
  }

  static final byte[] SOURCE = new byte[4096], TARGET = new byte[4096];

  static double copies(int n, int length) {
    for (int i = 0; i < n; i++) System.arraycopy(SOURCE, 0, TARGET, 0, length - (i & 1));
    return TARGET[5];
  }

  static double iterates(int n) {
    int s = 0;
    for (int k = 0; k < n; k += 64) for (int i : LIST) s += i;
    return s;
  }

  static double switches(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
      switch (i & 7) {
        case 0: s += 3; break;
        case 1: s ^= 5; break;
        case 2: s -= 7; break;
        case 3: s += i; break;
        case 4: s ^= i; break;
        default: s++;
      }
    }
    return s;
  }
}
