public class Builders extends Kernel {
  static class Query { private final String table; private final int limit; private final java.util.List<String> where; private Query(B b) { table = b.table; limit = b.limit; where = b.where; } static B from(String t) { return new B(t); } static class B { String table; int limit = 10; java.util.List<String> where = new java.util.ArrayList<>(); B(String t) { table = t; } B limit(int n) { limit = n; return this; } B where(String w) { where.add(w); return this; } Query build() { return new Query(this); } } @Override public String toString() { return "select * from " + table + " where " + String.join(" and ", where) + " limit " + limit; } }
  int n; public void setup(int n) { this.n = n; }
  public double run() { long s = 0; for (int i = 0; i < n; i++) s += Query.from("t" + i % 5).where("a > " + i).where("b").limit(i % 9).build().toString().length(); return s; }
}
