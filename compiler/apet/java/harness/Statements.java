/** Single statements whose cost is measured, beside the arithmetic of Operations: branches, elements, fields, calls. */
public class Statements {
  static final int[][] ROWS = new int[512][3];
  static final Object[] OBJECTS = new Object[512];

  static double load_reference(int n) {
    int s = 0;
    for (int i = 0; i < n; i += 64) for (int j = 0; j < 512; j += 8) {
      s += ROWS[j].length ^ ROWS[j + 1].length; s += ROWS[j + 2].length ^ ROWS[j + 3].length;
      s += ROWS[j + 4].length ^ ROWS[j + 5].length; s += ROWS[j + 6].length ^ ROWS[j + 7].length;
    }
    return s;
  }

  static double store_reference(int n) {
    Object[] a = OBJECTS; Object o = a;
    for (int i = 0; i < n; i += 512) for (int j = 0; j < 512; j++) a[j] = o;
    return a.length;
  }

  static double branch(int n) {
    int a = Harness.X, b = a + 1, c = a + 3, d = a + 5, e = a + 7, f = a + 9, g = a + 11, h = a + 13;
    int s = 0;
    for (int i = 0; i < n; i++) {
      if (i == a) s ^= 1; if (i == b) s ^= 2; if (i == c) s ^= 3; if (i == d) s ^= 4;
      if (i == e) s ^= 5; if (i == f) s ^= 6; if (i == g) s ^= 7; if (i == h) s ^= 8;
      if (i > 1000000000) { a = s; b = s ^ 1; c = s + 2; d = s ^ 7; e = s + 9; f = s ^ 11; g = s + 12; h = s ^ 13; }
    }
    return s;
  }

  static double compare_double(int n) {
    double v = Harness.X * 1e12, w = v + 1, t = 0; int s = 0;
    for (int i = 0; i < n; i++) {
      if (t > v) s += 1; if (t + 1 > v) s += 2; if (t > w) s += 3; if (t + 2 > w) s += 4;
      t += 1;
    }
    return s + t;
  }

  static double compare_float(int n) {
    float v = Harness.X * 1e12f, w = v * 2, t = 0; int s = 0;
    for (int i = 0; i < n; i++) {
      if (t > v) s += 1; if (t + 1 > v) s += 2; if (t > w) s += 3; if (t + 2 > w) s += 4;
      t += 1;
    }
    return s + t;
  }

  static double empty(int n) {
    double s = 0;
    for (int i = 0; i < n; i++) { }
    return s;
  }

  static double element(int n) {
    int[] a = Operations.A_int; int v0 = 0, v1 = 0, v2 = 0, v3 = 0;
    for (int i = 0; i < n; i++) { int j = i & 511; v0 = a[j]; v1 = a[j]; v2 = a[j]; v3 = a[j]; }
    return v0 + v1 + v2 + v3;
  }

  static double one_element(int n) {
    int[] a = Operations.A_int; int v0 = 0;
    for (int i = 0; i < n; i++) { int j = i & 511; v0 = a[j]; }
    return v0;
  }

  static double put_element(int n) {
    int[] a = Operations.A_int; int v = Harness.X;
    for (int i = 0; i < n; i++) { int j = i & 511; a[j] = v; a[j] = v; a[j] = v; a[j] = v; }
    return a[3];
  }

  static double put_one(int n) {
    int[] a = Operations.A_int; int v = Harness.X;
    for (int i = 0; i < n; i++) { int j = i & 511; a[j] = v; }
    return a[3];
  }

  static double fields(int n) {
    return FIELDS.own(n);
  }

  static double calls(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) { s = FIELDS.same(i); s = FIELDS.same(i); s = FIELDS.same(i); s = FIELDS.same(i); }
    return s;
  }

  static double compares(int n) {
    int v = Harness.X, s = 0;
    for (int i = 0; i < n; i++) { if (i == v) s++; if (i == v) s++; if (i == v) s++; if (i == v) s++; }
    return s;
  }

  static double compares_double(int n) {
    double v = Harness.X * 1e9, d = 1; int s = 0;
    for (int i = 0; i < n; i++) { if (d > v) s++; if (d > v) s++; if (d > v) s++; if (d > v) s++; }
    return s;
  }

  static double compares_long(int n) {
    long v = Harness.X * 1000000000L, d = 1; int s = 0;
    for (int i = 0; i < n; i++) { if (d > v) s++; if (d > v) s++; if (d > v) s++; if (d > v) s++; }
    return s;
  }

  static double issue(int n) {
    int a = 3, b = 5, c = 7, d = 9, e = 11, x = Harness.X;
    double y = Harness.Y, z = 1 + Harness.SMALL * 1e-13;
    double p = 1, q = 2, r = 3, s = 4, t = 5, u = 6, v = 1, w = 2, k = 3, l = 4, m = 5, o = 6;
    for (int i = 0; i < n; i++) {
      a = (a + x) ^ i; p += y; v *= z; b = (b + x) ^ i; q += y; w *= z; c = (c + x) ^ i; r += y; k *= z;
      d = (d + x) ^ i; s += y; l *= z; e = (e + x) ^ i; t += y; m *= z; u += y; o *= z;
    }
    return a + b + c + d + e + p + q + r + s + t + u + v + w + k + l + m + o;
  }

  int f0 = 1, f1 = 2;
  static final Statements FIELDS = new Statements();

  double own(int n) {
    int v0 = 0, v1 = 0;
    for (int i = 0; i < n; i++) { v0 = f0; v1 = f1; v0 = f1; v1 = f0; }
    return v0 + v1;
  }

  int same(int i) { return i; }

  static void register() {
    Harness.add("load_reference", Statements::load_reference);
    Harness.add("store_reference", Statements::store_reference);
    Harness.add("branch", Statements::branch);
    Harness.add("compare_double", Statements::compare_double);
    Harness.add("compare_float", Statements::compare_float);
    Harness.add("empty", Statements::empty);
    Harness.add("element", Statements::element);
    Harness.add("one_element", Statements::one_element);
    Harness.add("put_element", Statements::put_element);
    Harness.add("put_one", Statements::put_one);
    Harness.add("fields", Statements::fields);
    Harness.add("calls", Statements::calls);
    Harness.add("compares", Statements::compares);
    Harness.add("compares_double", Statements::compares_double);
    Harness.add("compares_long", Statements::compares_long);
    Harness.add("issue", Statements::issue);
  }
}
