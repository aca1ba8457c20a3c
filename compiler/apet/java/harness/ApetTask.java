import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;

/**
 * A task of a batch: a method whose parameters, and those of its class's constructor, are given by name. Classes are
 * compiled with their parameters' names. An object is made anew only where what its constructor is given has changed.
 */
public final class ApetTask {
  final Class<?> owner;
  private final List<String> names;
  private final Method method;
  private final Constructor<?> constructor;
  private final Object[] given;
  private Object object;
  private double[] made;

  ApetTask(String type, String method, List<String> names) throws ClassNotFoundException {
    this.names = names;
    owner = Class.forName(type);
    this.method = (Method) widest(method(owner, method), names, type + "." + method);
    this.method.setAccessible(true);
    given = new Object[this.method.getParameterCount()];
    if (Modifier.isStatic(this.method.getModifiers())) constructor = null;
    else {
      constructor = (Constructor<?>) widest(owner.getDeclaredConstructors(), names, "a constructor of " + type);
      constructor.setAccessible(true);
    }
  }

  private static Method[] method(Class<?> owner, String name) {
    for (Class<?> c = owner; c != null; c = c.getSuperclass()) {
      Method[] found =
          Arrays.stream(c.getDeclaredMethods()).filter(m -> m.getName().equals(name) && !m.isBridge()).toArray(Method[]::new);
      if (found.length > 0) return found;
    }
    throw new IllegalArgumentException(owner.getName() + " has no method " + name);
  }

  /** Of those whose parameters are all given, the one with the most. */
  private static Executable widest(Executable[] all, List<String> names, String what) {
    Executable best = null;
    for (Executable one : all)
      if (Arrays.stream(one.getParameters()).allMatch(p -> names.contains(p.getName()))
          && (best == null || one.getParameterCount() > best.getParameterCount())) best = one;
    if (best != null) return best;
    StringBuilder wanted = new StringBuilder();
    for (Parameter p : all[0].getParameters())
      if (!names.contains(p.getName())) wanted.append(wanted.length() > 0 ? ", " : "").append(p.getName());
    throw new IllegalArgumentException(what + " needs values for: " + wanted);
  }

  /** Makes the object that tasks with these values run on. */
  void prepare(double[] values) throws Throwable {
    if (constructor == null) return;
    Parameter[] wanted = constructor.getParameters();
    double[] now = new double[wanted.length];
    for (int i = 0; i < now.length; i++) now[i] = values[names.indexOf(wanted[i].getName())];
    if (object != null && Arrays.equals(now, made)) return;
    Object[] arguments = new Object[now.length];
    for (int i = 0; i < now.length; i++) arguments[i] = typed(wanted[i].getType(), now[i]);
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
    Parameter[] wanted = method.getParameters();
    for (int i = 0; i < given.length; i++) given[i] = typed(wanted[i].getType(), values[names.indexOf(wanted[i].getName())]);
    Object found;
    try {
      found = method.invoke(object, given);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    if (found instanceof Number) return ((Number) found).doubleValue();
    return Boolean.TRUE.equals(found) ? 1 : 0;
  }

  private static Object typed(Class<?> type, double value) {
    if (type == int.class) return (int) value;
    if (type == long.class) return (long) value;
    if (type == float.class) return (float) value;
    if (type == double.class) return value;
    if (type == short.class) return (short) value;
    if (type == byte.class) return (byte) value;
    if (type == char.class) return (char) value;
    if (type == boolean.class) return value != 0;
    throw new IllegalArgumentException("a task takes numbers, not " + type.getSimpleName());
  }
}
