import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
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
  private final Executable method;
  private final boolean isFree;
  private Executable constructor;
  private Object object;
  private double[] made;
  private int style;
  /** What the task was last given. */
  private ApetArguments arguments, ofObject;

  /** A task all of whose parameters are given. */
  ApetTask(String type, String method, List<String> names) throws Throwable {
    this(type, method, names, false);
  }

  /** `freely`: the object and those among the arguments may be made with what nobody has given. */
  ApetTask(String type, String method, List<String> names, boolean freely) throws Throwable {
    this.names = names;
    isFree = freely;
    owner = named(type);
    this.method = widest(methods(owner, method), names, type + "." + method);
    this.method.setAccessible(true);
    if (this.method instanceof Constructor || Modifier.isStatic(this.method.getModifiers())) return;
    if (!freely) {
      constructor = widest(owner.getDeclaredConstructors(), names, "a constructor of " + type);
      constructor.setAccessible(true);
      return;
    }
    for (Constructor<?> one : owner.getDeclaredConstructors())
      if (Modifier.isAbstract(owner.getModifiers()) || !ApetArguments.missing(one, names).isEmpty() || !Arrays.stream(one.getParameters()).allMatch(ApetArguments::isAsked)) continue;
      else if (constructor == null || one.getParameterCount() > constructor.getParameterCount()) constructor = one;
  }

  /** A class by its name, or by that of the file's class that it is in. */
  private static Class<?> named(String type) throws Exception {
    try {
      return Class.forName(type);
    } catch (ClassNotFoundException inner) {
      int at = type.lastIndexOf('.') + 1;
      // Another file of the package may have an inner class of this name.
      String inFile = type.substring(0, at) + System.getProperty("apet.file", "") + "$" + type.substring(at);
      for (String folder : System.getProperty("java.class.path").split(java.io.File.pathSeparator))
        for (String one : ApetInstances.classNames(Path.of(folder)))
          if (one.equals(inFile)) return Class.forName(one);
      for (String folder : System.getProperty("java.class.path").split(java.io.File.pathSeparator))
        for (String one : ApetInstances.classNames(Path.of(folder)))
          if (one.startsWith(type.substring(0, at)) && one.endsWith("$" + type.substring(at))) return Class.forName(one);
      throw inner;
    }
  }

  /** The methods of a name, or constructors; where it has types in brackets, those with such parameters, if any. */
  private static Executable[] methods(Class<?> owner, String title) {
    String name = title.replaceFirst("\\(.*", "");
    for (Class<?> c = owner; c != null; c = c.getSuperclass()) {
      boolean constructs = c.getSimpleName().equals(name);
      Executable[] own = constructs ? c.getDeclaredConstructors() : c.getDeclaredMethods();
      Executable[] found = Arrays.stream(own).filter(m -> (constructs || m.getName().equals(name)) && !m.isSynthetic() && !Modifier.isAbstract(m.getModifiers())).toArray(Executable[]::new);
      Executable[] exact = Arrays.stream(found).filter(m -> title.equals(title(name, m))).toArray(Executable[]::new);
      if (exact.length > 0) return exact;
      if (found.length > 0) return found;
    }
    throw new IllegalArgumentException(owner.getName() + " has no method " + title);
  }

  private static String title(String name, Executable method) {
    return name + Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).collect(Collectors.joining(", ", "(", ")"));
  }

  /** Of those whose parameters are all given, the one with the most. */
  private static Executable widest(Executable[] all, List<String> names, String what) {
    Executable best = null;
    for (Executable one : all)
      if (ApetArguments.missing(one, names).isEmpty() && (best == null || one.getParameterCount() > best.getParameterCount())) best = one;
    if (best != null) return best;
    throw new IllegalArgumentException(what + " needs values for: " + ApetArguments.missing(all[0], names));
  }

  /** Has the next run have an object of its own, as the first one has: one that has solved its task has nothing to do. */
  void renew() {
    object = null;
  }

  /** Takes the next style of arguments; whether there is one. */
  boolean nextStyle() {
    renew();
    return ++style < ApetArguments.STYLES;
  }

  /** What the task and its object were given that nobody has said. */
  Stream<String> assumed() {
    return Stream.of(ofObject, arguments).filter(a -> a != null).flatMap(a -> a.assumed.entrySet().stream()).map(e -> e.getKey() + " = " + e.getValue()).distinct();
  }

  /** Makes the object that tasks with these values run on. */
  void prepare(double[] values) throws Throwable {
    if (method instanceof Constructor || Modifier.isStatic(method.getModifiers())) return;
    if (object != null && Arrays.equals(values(values), made)) return;
    object = null;
    ofObject = new ApetArguments(names, values, style);
    ApetInstances instances = new ApetInstances(ofObject);
    object = constructor == null ? instances.of(owner) : ApetInstances.call(constructor, null, ofObject.of(constructor));
    if (isFree) instances.filled(object);
    made = values(values);
  }

  /** Those of the values that the object depends on. */
  private double[] values(double[] values) {
    if (constructor == null) return new double[0];
    return Arrays.stream(constructor.getParameters()).mapToInt(p -> names.indexOf(ApetArguments.name(p))).filter(k -> k >= 0).mapToDouble(k -> values[k]).toArray();
  }

  /** What tasks run on; null where the method is static. */
  Object object() {
    return object;
  }

  /** Runs it; what it returns as a number, 0 where that is none. */
  double run(double[] values) throws Throwable {
    prepare(values);
    // Anew for each run: a task may sort what it gets.
    arguments = new ApetArguments(names, values, style);
    Object result = ApetInstances.call(method, object, arguments.of(method));
    if (result instanceof Number) return ((Number) result).doubleValue();
    return Boolean.TRUE.equals(result) ? 1 : 0;
  }
}
