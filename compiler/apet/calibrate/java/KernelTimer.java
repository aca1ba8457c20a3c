import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;

/**
 * Times run() of a class after setup(n), as warm thread CPU time. Arguments: class, n, budget in ms, warm-up in ms.
 * Prints the median in seconds.
 */
public class KernelTimer {
  static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  static double cpu() {
    return THREADS.getCurrentThreadCpuTime() * 1e-9;
  }

  public static void main(String[] a) throws Exception {
    Class<?> type = Class.forName(a[0]);
    java.lang.reflect.Constructor<?> made = type.getDeclaredConstructor();
    made.setAccessible(true);
    Kernel kernel = (Kernel) made.newInstance();
    kernel.setup(Integer.parseInt(a[1]));
    double budget = Double.parseDouble(a[2]) * 1e-3, warm = Double.parseDouble(a[3]) * 1e-3;
    double sink = 0, start = cpu();
    for (int calls = 0; ; calls++) {
      sink += kernel.run();
      double used = cpu() - start;
      if (used > warm && calls >= 2 || used > 4 * warm) break;
    }
    double before = cpu();
    for (int i = 0; i < 3; i++) sink += kernel.run();
    double one = Math.max((cpu() - before) / 3, 5e-7);
    int batch = one < 5e-4 ? (int) (5e-4 / one) + 1 : 1;
    ArrayList<Double> times = new ArrayList<>();
    start = cpu();
    while (times.size() < 300) {
      before = cpu();
      for (int i = 0; i < batch; i++) sink += kernel.run();
      times.add((cpu() - before) / batch);
      if (cpu() - start > budget && times.size() >= 3) break;
    }
    Collections.sort(times);
    System.out.println(times.get(times.size() / 2) + " " + sink);
  }
}
