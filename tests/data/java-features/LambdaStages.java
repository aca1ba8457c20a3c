import java.util.function.IntUnaryOperator;

/** Functions composed by an own pipeline. */
public class LambdaStages extends Kernel {
  static final class Pipeline {
    IntUnaryOperator[] stages = new IntUnaryOperator[4]; int many;
    Pipeline then(IntUnaryOperator stage) { stages[many++] = stage; return this; }
    int through(int v) { for (int k = 0; k < many; k++) v = stages[k].applyAsInt(v); return v; }
  }
  int n; Pipeline pipeline;
  public void setup(int n) {
    this.n = n; pipeline = new Pipeline().then(v -> v + 3).then(v -> v ^ v >>> 4).then(v -> v * 31).then(v -> v & 0xFFFF);
  }
  public double run() { long s = 0; for (int i = 0; i < n; i++) s += pipeline.through(i); return s; }
}
