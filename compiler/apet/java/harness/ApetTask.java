import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A task of a batch: a method whose parameters, and those of its class's constructor, are given by name. Classes are
 * compiled with their parameters' names. An object is made anew only where what its constructor is given has changed.
 */
public final class ApetTask {
  final Class<?> owner;
  private final List<String> names;
  private final Method method;
  private final Constructor<?> constructor;
  private Object object;
  private double[] made;

  ApetTask(String type, String method, List<String> names) throws ClassNotFoundException {
    this.names = names;
    owner = Class.forName(type);
    this.method = (Method) widest(method(owner, method), names, type + "." + method);
    this.method.setAccessible(true);
    if (Modifier.isStatic(this.method.getModifiers())) constructor = null;
    else {
      constructor = (Constructor<?>) widest(owner.getDeclaredConstructors(), names, "a constructor of " + type);
      constructor.setAccessible(true);
    }
  }

  /** The methods of a name; where it has types in brackets, those with such parameters, if any. */
  private static Method[] method(Class<?> owner, String title) {
    String name = title.replaceFirst("\\(.*", "");
    for (Class<?> c = owner; c != null; c = c.getSuperclass()) {
      Method[] found =
          Arrays.stream(c.getDeclaredMethods()).filter(m -> m.getName().equals(name) && !m.isBridge()).toArray(Method[]::new);
      Method[] exact = Arrays.stream(found).filter(m -> title.equals(title(m))).toArray(Method[]::new);
      if (exact.length > 0) return exact;
      if (found.length > 0) return found;
    }
    throw new IllegalArgumentException(owner.getName() + " has no method " + title);
  }

  private static String title(Method method) {
    Stream<String> types = Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName);
    return method.getName() + types.collect(Collectors.joining(", ", "(", ")"));
  }

  private Object[] arguments(Parameter[] wanted, double[] values) {
    ApetArguments arguments = new ApetArguments();
    return Arrays.stream(wanted).map(p -> arguments.of(p, names, values)).toArray();
  }

  /** Of those whose parameters are all given, the one with the most. */
  private static Executable widest(Executable[] all, List<String> names, String what) {
    Executable best = null;
    for (Executable one : all)
      if (Arrays.stream(one.getParameters()).allMatch(p -> names.contains(ApetArguments.name(p)))
          && (best == null || one.getParameterCount() > best.getParameterCount())) best = one;
    if (best != null) return best;
    StringBuilder wanted = new StringBuilder();
    for (Parameter p : all[0].getParameters())
      if (!names.contains(ApetArguments.name(p))) wanted.append(wanted.length() > 0 ? ", " : "").append(ApetArguments.name(p));
    throw new IllegalArgumentException(what + " needs values for: " + wanted);
  }

  /** Makes the object that tasks with these values run on. */
  void prepare(double[] values) throws Throwable {
    if (constructor == null) return;
    Parameter[] wanted = constructor.getParameters();
    double[] now = new double[wanted.length];
    for (int i = 0; i < now.length; i++) now[i] = values[names.indexOf(ApetArguments.name(wanted[i]))];
    if (object != null && Arrays.equals(now, made)) return;
    Object[] arguments = arguments(wanted, values);
    object = null;
    try {
      object = constructor.newInstance(arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    made = now;
  }

  /** What tasks run on; null where the method is static. */
  Object object() {
    return object;
  }

  /** Runs it; what it returns as a number, 0 where that is none. */
  double run(double[] values) throws Throwable {
    prepare(values);
    // Anew for each run: a task may sort what it gets.
    Object[] arguments = arguments(method.getParameters(), values);
    Object found;
    try {
      found = method.invoke(object, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    if (found instanceof Number) return ((Number) found).doubleValue();
    return Boolean.TRUE.equals(found) ? 1 : 0;
  }
}
