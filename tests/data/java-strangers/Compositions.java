import java.util.function.*;
public class Compositions extends Kernel {
  int n; public void setup(int n) { this.n = n; }
  static <A, B, C> Function<A, C> then(Function<A, B> f, Function<B, C> g) { return x -> g.apply(f.apply(x)); }
  public double run() { Function<Integer, Integer> f = then(x -> x + 1, x -> x * 2); IntUnaryOperator g = x -> x ^ 5; IntBinaryOperator h = Math::max; Supplier<Integer> one = () -> 1; long s = 0; for (int i = 0; i < n; i++) s += f.apply(i) + g.andThen(y -> y + 3).applyAsInt(i) + h.applyAsInt(i, 100) + one.get(); return s; }
}
