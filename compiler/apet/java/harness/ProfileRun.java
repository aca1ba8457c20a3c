import apet.ApetCalls;
import apet.ApetProfile;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/**
 * Runs instrumented code. Arguments: class, method, number of sites, runs before the one that is told about (with the
 * predictor if any, and a t behind it to time calls afterwards), then sizes for setup(int). Prints a line for each site, and for each field that is a number or an array.
 */
public class ProfileRun {
  public static void main(String[] a) throws Throwable {
    int sites = Integer.parseInt(a[2]), warm = Integer.parseInt(a[3].replace("t", ""));
    boolean timed = a[3].endsWith("t");
    Object[] sizes = new Object[a.length - 4];
    for (int i = 0; i < sizes.length; i++) sizes[i] = Integer.parseInt(a[i + 4]);
    ApetProfile.start(sites, false);
    Class<?> type = Class.forName(a[0]);
    Method method = find(type, a[1], sizes.length);
    method.setAccessible(true);
    Object task = null;
    if (!Modifier.isStatic(method.getModifiers())) {
      Constructor<?> made = type.getDeclaredConstructor();
      made.setAccessible(true);
      task = made.newInstance();
    }
    Object[] given = new Object[0];
    if (method.getParameterCount() > 0) given = given(method, sizes);
    else if (sizes.length > 0) setup(type, sizes).invoke(task, sizes);
    fields(type, task);
    java.io.PrintStream out = System.out;
    System.setOut(new java.io.PrintStream(java.io.OutputStream.nullOutputStream()));
    long begun = System.nanoTime();
    try {
      for (int i = 0; i <= warm && !(i > 0 && ApetProfile.taught()); i++) {
        ApetProfile.start(sites, warm > 0);
        method.invoke(task, given);
      }
    } catch (java.lang.reflect.InvocationTargetException e) {
      throw e.getCause();
    }
    System.setOut(out);
    ApetProfile.report();
    if (!timed || System.nanoTime() - begun > ApetCalls.SLOW) return;
    System.setOut(new java.io.PrintStream(java.io.OutputStream.nullOutputStream()));
    ApetProfile.start(sites, false);
    Object target = task;
    Object[] words = given;
    try {
      ApetCalls.time(() -> method.invoke(target, words), sites, out);
    } catch (Throwable notRepeatable) {
      return; // the counts stand
    }
  }

  static Object[] given(Method method, Object[] sizes) {
    Class<?>[] types = method.getParameterTypes();
    if (types.length == 1 && types[0] == String[].class) {
      String[] words = new String[sizes.length];
      for (int i = 0; i < words.length; i++) words[i] = sizes[i].toString();
      return new Object[] {words};
    }
    Object[] made = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      int n = i < sizes.length ? (Integer) sizes[i] : 0;
      if (types[i] == long.class) made[i] = (long) n;
      else if (types[i] == double.class) made[i] = (double) n;
      else if (types[i] == float.class) made[i] = (float) n;
      else made[i] = n;
    }
    return made;
  }

  static Method find(Class<?> type, String name, int most) throws NoSuchMethodException {
    for (Class<?> c = type; c != null; c = c.getSuperclass())
      for (Method m : c.getDeclaredMethods())
        if (m.getName().equals(name) && !Modifier.isAbstract(m.getModifiers()) && !m.isBridge()) return m;
    throw new NoSuchMethodException(name);
  }

  static Method setup(Class<?> type, Object[] sizes) throws NoSuchMethodException {
    Method m = find(type, "setup", sizes.length);
    m.setAccessible(true);
    return m;
  }

  static void fields(Class<?> type, Object task) throws IllegalAccessException {
    for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass())
      for (Field f : c.getDeclaredFields()) {
        boolean fixed = Modifier.isStatic(f.getModifiers());
        if (!fixed && task == null) continue;
        f.setAccessible(true);
        Object value = f.get(task);
        if (value instanceof java.lang.Number) System.out.println("field " + f.getName() + " " + value);
        if (value == null || !value.getClass().isArray()) continue;
        StringBuilder lengths = new StringBuilder();
        for (double mean : ApetProfile.lengths(value, ApetProfile.MANY_ROWS)) lengths.append(' ').append(mean);
        System.out.println("array " + f.getName() + lengths);
      }
  }
}
