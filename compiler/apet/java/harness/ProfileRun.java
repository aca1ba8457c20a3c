import apet.ApetCalls;
import apet.ApetObjects;
import apet.ApetProfile;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/**
 * Runs instrumented code. Arguments: class, method, number of sites, runs before the one that is told about (with the
 * predictor if any, and a t behind it to time calls afterwards), then sizes for setup(int). Prints a line for each site, and for each field that is a number or an array.
 */
public class ProfileRun {
  private static final Object[] WORDS = {16, 16, 16, 16};

  public static void main(String[] a) {
    ApetEnd.after(() -> run(a));
  }

  private static void run(String[] a) throws Throwable {
    int sites = Integer.parseInt(a[2]), warm = Integer.parseInt(a[3].replace("t", ""));
    boolean timed = a[3].endsWith("t");
    Object[] sizes = new Object[a.length - 4];
    for (int i = 0; i < sizes.length; i++) sizes[i] = Integer.parseInt(a[i + 4]);
    // What the task prints is no part of the report, from its static blocks on.
    PrintStream out = System.out, nowhere = new PrintStream(OutputStream.nullOutputStream());
    System.setOut(nowhere);
    ApetProfile.start(sites, false);
    ApetEnd.reportAtExit(() -> report(out));
    Class<?> type = Class.forName(a[0]);
    Method method = find(type, a[1], sizes.length);
    method.setAccessible(true);
    Object task = Modifier.isStatic(method.getModifiers()) ? null : made(type);
    boolean isGiven = method.getParameterCount() > 0;
    long begun;
    try {
      if (!isGiven && sizes.length > 0) setup(type, sizes).invoke(task, sizes);
      fields(type, task, out);
      begun = System.nanoTime();
      for (int i = 0; i <= warm && !(i > 0 && ApetProfile.taught()); i++) {
        // Arguments anew for each run: a task may sort what it gets.
        Object[] given = isGiven ? given(method, sizes) : new Object[0];
        ApetProfile.start(sites, warm > 0);
        try {
          method.invoke(task, given);
        } catch (InvocationTargetException e) {
          if (i > 0) break; // the counts stand
          if (sizes.length > 0 || !a[1].equals("main")) throw e;
          // A program that takes words does something with numbers, where it does nothing without any.
          sizes = WORDS;
          out.println("assumed 0 args = " + java.util.Arrays.toString(WORDS));
          i = -1;
          continue;
        }
        if (i == 0) reportFirst(() -> report(out), nowhere);
      }
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    ApetProfile.misses(out);
    long spent = System.nanoTime() - begun;
    if (spent > ApetCalls.SLOW) return;
    System.setOut(nowhere);
    ApetProfile.start(sites, false);
    Object[] given = isGiven ? given(method, sizes) : new Object[0];
    try {
      String plain = System.getProperty("apet.plain");
      if (timed) ApetCalls.time(() -> method.invoke(task, given), sites, out);
      if (timed && plain != null) out.println("plain 0 " + PlainRun.fastest(plain, a[0], a[1], sizes));
    } catch (Throwable notRepeatable) {
      return; // the counts stand
    }
  }

  /** Reports the first run: later ones, which teach the predictor, find the tables that it has filled. */
  static void reportFirst(Runnable report, PrintStream nowhere) {
    ApetEnd.isReported();
    report.run();
    System.setOut(nowhere);
  }

  /** Prints what has been counted. */
  static void report(PrintStream out) {
    System.setOut(out);
    ApetProfile.report();
    out.flush();
  }

  /** An object to run a method on. */
  static Object made(Class<?> type) throws Throwable {
    if (Modifier.isAbstract(type.getModifiers())) throw new IllegalArgumentException(type.getName() + " is abstract: no object can be made of it");
    try {
      Constructor<?> made = type.getDeclaredConstructor();
      made.setAccessible(true);
      return made.newInstance();
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(type.getName() + " has no constructor without arguments");
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  static Object[] given(Method method, Object[] sizes) throws Throwable {
    Class<?>[] types = method.getParameterTypes();
    if (types.length == 1 && types[0] == String[].class) {
      String[] words = new String[sizes.length];
      for (int i = 0; i < words.length; i++) words[i] = sizes[i].toString();
      return new Object[] {words};
    }
    if (sizes.length < types.length) throw new IllegalArgumentException(method.getName() + " needs values for its " + types.length + " parameters: --set NAME=SIZE for each");
    ApetArguments arguments = new ApetArguments(java.util.List.of(), new double[0], 0);
    Object[] made = new Object[types.length];
    for (int i = 0; i < types.length; i++) made[i] = arguments.of(types[i], (Integer) sizes[i]);
    return made;
  }

  /** The method of a name; of several one that takes so many sizes, else one that leaves them to setup. */
  static Method find(Class<?> type, String name, int sizes) throws NoSuchMethodException {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      Method found = null;
      for (Method m : c.getDeclaredMethods())
        if (m.getName().equals(name) && !Modifier.isAbstract(m.getModifiers()) && !m.isBridge() && (found == null || rank(m, sizes) < rank(found, sizes))) found = m;
      if (found != null) return found;
    }
    throw new NoSuchMethodException(name);
  }

  private static int rank(Method method, int sizes) {
    int count = method.getParameterCount();
    boolean isRun = method.getName().equals("run") && count == 0;
    return isRun || method.getName().equals("main") && count == 1 ? 0 : count == sizes ? 1 : count == 0 ? 2 : 3;
  }

  static Method setup(Class<?> type, Object[] sizes) throws NoSuchMethodException {
    Method m = find(type, "setup", sizes.length);
    m.setAccessible(true);
    return m;
  }

  static void fields(Class<?> type, Object task, PrintStream out) throws IllegalAccessException {
    // What a class has from the library is closed.
    for (Class<?> c = type; c != null && c.getClassLoader() == ProfileRun.class.getClassLoader(); c = c.getSuperclass())
      for (Field f : c.getDeclaredFields()) {
        boolean fixed = Modifier.isStatic(f.getModifiers());
        if (!fixed && task == null) continue;
        f.setAccessible(true);
        Object value = f.get(task);
        if (value instanceof java.lang.Number) out.println("field " + ApetCalls.named(c) + "." + f.getName() + " " + value);
        if (value == null || !value.getClass().isArray()) continue;
        StringBuilder lengths = new StringBuilder();
        for (double mean : ApetProfile.lengths(value, ApetProfile.MANY_ROWS)) lengths.append(' ').append(mean);
        out.println("array " + ApetCalls.named(c) + "." + f.getName() + lengths);
      }
  }
}
