import apet.ApetCalls;
import java.io.File;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;

/** A task without counters and clocks, in the virtual machine in which it ran with them: how long it takes. */
class PlainRun {
  /** Nanoseconds of warming up and of timing. */
  private static final long WARM = 300_000_000L, TIMED = 60_000_000L;

  /** Nanoseconds of the fastest run. The folders are between colons (semicolons on Windows). */
  static double fastest(String folders, String type, String name, Object[] sizes) throws Throwable {
    String[] paths = folders.split(File.pathSeparator);
    URL[] urls = new URL[paths.length];
    for (int i = 0; i < paths.length; i++) urls[i] = new File(paths[i]).toURI().toURL();
    // Not below the loader of this class, which has the classes with counters.
    try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      Class<?> own = Class.forName(type, true, loader);
      Method method = ProfileRun.find(own, name, sizes.length);
      method.setAccessible(true);
      Object task = Modifier.isStatic(method.getModifiers()) ? null : ProfileRun.made(own);
      Object[] given = method.getParameterCount() > 0 ? ProfileRun.given(method, sizes) : new Object[0];
      if (given.length == 0 && sizes.length > 0) ProfileRun.setup(own, sizes).invoke(task, sizes);

      long begun = System.nanoTime(), used = ApetCalls.cpu();
      Settling settling = new Settling();
      for (boolean warm = false; !warm || ApetCalls.isCold(begun, used, WARM); ) warm = settling.isOver(fastest(method, task, given, WARM / 2));
      return fastest(method, task, given, TIMED);
    }
  }

  /** Of short runs several at once: reading the clock takes a part of a microsecond. */
  private static double fastest(Method method, Object task, Object[] given, long time) throws Throwable {
    double least = Double.MAX_VALUE;
    long begun = System.nanoTime(), now = begun;
    for (int many = 1; now - begun < time; ) {
      long before = now;
      for (int i = 0; i < many; i++) method.invoke(task, given);
      now = System.nanoTime();
      least = Math.min(least, (double) (now - before) / many);
      if (now - before < time / 50) many *= 2;
    }
    return least;
  }
}
