import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;

/**
 * Times run() of a class after setup, as warm thread CPU time and its share of the collections. Arguments: class, sizes between commas, budget in ms, warm-up in ms, and the
 * method where it is not run.
 * Prints the median in seconds.
 */
public class KernelTimer {
  static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  static double sink;

  static double cpu() {
    return THREADS.getCurrentThreadCpuTime() * 1e-9;
  }

  /** Seconds of all collections: they stop the thread and are no part of its own time. */
  static double collections() {
    long ms = 0;
    for (java.lang.management.GarbageCollectorMXBean c : ManagementFactory.getGarbageCollectorMXBeans()) ms += c.getCollectionTime();
    return ms * 1e-3;
  }

  /** One run. */
  public interface Task {
    double run() throws Exception;
  }

  /** Whether a class extends Kernel: that of its own package, where it is in one. */
  private static boolean isKernel(Class<?> type) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) if (c.getSimpleName().equals("Kernel")) return true;
    return false;
  }

  /** run() as a call in the source would call it: by reflection it would take longer. */
  private static Task direct(Class<?> type, Object kernel) throws Throwable {
    MethodHandles.Lookup inside = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
    MethodType result = MethodType.methodType(double.class);
    MethodHandle run = inside.findVirtual(type, "run", result);
    return (Task) LambdaMetafactory.metafactory(inside, "run", MethodType.methodType(Task.class, type), result, run, result).getTarget().invoke(kernel);
  }

  /** A kernel's run() after setup(n); of another class a method by its name, which is given the sizes where it takes numbers. */
  static Task task(Class<?> type, Object[] sizes, String name) throws Throwable {
    java.lang.reflect.Constructor<?> made = type.getDeclaredConstructor();
    made.setAccessible(true);
    if (isKernel(type)) {
      Object kernel = made.newInstance();
      type.getMethod("setup", int.class).invoke(kernel, sizes[0]);
      return direct(type, kernel);
    }
    Method method = ProfileRun.find(type, name, sizes.length);
    method.setAccessible(true);
    Object target = java.lang.reflect.Modifier.isStatic(method.getModifiers()) ? null : made.newInstance();
    boolean takes = method.getParameterCount() > 0;
    if (!takes) ProfileRun.setup(type, sizes).invoke(target, sizes);
    Object[] given = takes ? ProfileRun.given(method, sizes) : new Object[0];
    return () -> method.invoke(target, given) instanceof java.lang.Number found ? found.doubleValue() : 0;
  }

  public static void main(String[] a) {
    ApetEnd.after(() -> run(a));
  }

  private static void run(String[] a) throws Throwable {
    java.io.PrintStream out = System.out;
    // What a task prints is not this program's answer.
    System.setOut(new java.io.PrintStream(java.io.OutputStream.nullOutputStream()));
    Object[] sizes = java.util.Arrays.stream(a[1].split(",")).map(Integer::valueOf).toArray();
    Task kernel = task(Class.forName(a[0]), sizes, a.length > 4 ? a[4] : "run");
    double budget = Double.parseDouble(a[2]) * 1e-3, warm = Double.parseDouble(a[3]) * 1e-3;
    runs(kernel, warm / 2, 1);
    // The first collections move what setup has made.
    double collected = collections();
    int runs = settled(kernel, warm / 2) + 3;
    double before = cpu();
    for (int i = 0; i < 3; i++) sink += kernel.run();
    double one = Math.max((cpu() - before) / 3, 5e-7);
    int batch = one < 5e-4 ? (int) (5e-4 / one) + 1 : 1;
    ArrayList<Double> times = new ArrayList<>();
    double start = cpu();
    while (times.size() < 300) {
      before = cpu();
      for (int i = 0; i < batch; i++) sink += kernel.run();
      times.add((cpu() - before) / batch);
      runs += batch;
      if (cpu() - start > budget && times.size() >= 3) break;
    }
    Collections.sort(times);
    double collecting = (collections() - collected) / runs;
    out.println(times.get(times.size() / 2) + collecting + " " + sink);
  }

  /** Runs in windows of so many seconds until it is warm; how many runs. */
  static int settled(Task kernel, double seconds) throws Throwable {
    Settling settling = new Settling();
    for (int all = 0; ; ) {
      double start = cpu();
      int many = runs(kernel, seconds, 2);
      all += many;
      double used = cpu() - start;
      if (settling.isOver(used / many) || used > 2 * seconds) return all;
    }
  }

  /** Runs until they have taken so many seconds, at least so often where that is not too long; how many they were. */
  static int runs(Task kernel, double seconds, int least) throws Throwable {
    double start = cpu();
    for (int runs = 1; ; runs++) {
      sink += kernel.run();
      double used = cpu() - start;
      if (used > seconds && runs >= least || used > 4 * seconds) return runs;
    }
  }
}
