import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/** Tells when a task is warm: the compiler had nothing to do for a while, and runs took no less than before. */
class Settling {
  /** How many windows of runs at most. */
  static final int WINDOWS = 20;
  /** Runs that take less than this part of those before show that the code still changes. */
  static final double SAME = 0.97;
  private final CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
  private long compiled = compiled();
  private double least = Double.MAX_VALUE;
  private int windows;

  /** Milliseconds that the compiler has worked; an interpreter has none. */
  private long compiled() {
    return compiler == null ? 0 : compiler.getTotalCompilationTime();
  }

  /** Whether it is warm after one more window, whose runs took so long each. */
  boolean isOver(double each) {
    long now = compiled();
    boolean idle = now == compiled, same = each > SAME * least;
    compiled = now;
    least = Math.min(least, each);
    return ++windows >= WINDOWS || idle && same;
  }
}
