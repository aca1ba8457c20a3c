import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Objects of a class that a task asks for: by a constructor whose parameters can be made, a method or a constant of the
 * class that gives one, a class of the program that implements it, or, of an interface without any, answers by rote.
 */
final class ApetInstances {
  private final ApetArguments arguments;
  private final Map<Class<?>, List<Class<?>>> classes = new HashMap<>();

  ApetInstances(ApetArguments arguments) {
    this.arguments = arguments;
  }

  /** An object; where each way to one needs another one of its kind first, that one is null. */
  Object of(Class<?> type) throws Throwable {
    if (arguments.allowsNull && arguments.making.contains(type)) return null;
    arguments.making.push(type);
    try {
      return made(type);
    } catch (IllegalArgumentException unknown) {
      if (arguments.allowsNull || arguments.making.size() > 1) throw unknown;
      arguments.allowsNull = true;
      return made(type);
    } finally {
      arguments.making.pop();
      if (arguments.making.isEmpty()) arguments.allowsNull = false;
    }
  }

  private Object made(Class<?> type) throws Throwable {
    if (type == Random.class) return new Random(1);
    if (type == Class.class) return Integer.class;
    if (type == Comparator.class) return Comparator.naturalOrder();
    if (type.isEnum()) return type.getEnumConstants()[0];
    if (isFunction(type)) return byRote(type);
    Throwable first = null;
    for (Class<?> one : concrete(type)) {
      for (Executable maker : makers(one, arguments)) {
        try {
          return filled(call(maker, null, arguments.of(maker)));
        } catch (Exception | LinkageError refused) {
          if (first == null) first = refused;
        }
      }
      for (Field constant : one.getFields()) if (Modifier.isStatic(constant.getModifiers()) && type.isAssignableFrom(constant.getType()) && constant.get(null) != null) return constant.get(null);
    }
    if (!type.isInterface()) throw ApetArguments.unknown(type, first == null ? "" : " (" + first + ")");
    return byRote(type);
  }

  /** Whether a type is a generic interface of one method, as programs give code to. */
  private static boolean isFunction(Class<?> type) {
    return type.isInterface() && type.getTypeParameters().length > 0 && Stream.of(type.getMethods()).filter(m -> Modifier.isAbstract(m.getModifiers())).count() == 1;
  }

  private Object byRote(Class<?> type) {
    arguments.assumed.put(type.getSimpleName(), "answers by rote");
    return Proxy.newProxyInstance(loader(type), new Class<?>[] {type}, this::answer);
  }

  /**
   * Constructors, then static methods that give an object: first those with most values that are given, then the fewest
   * parameters that are objects, then the most numbers.
   */
  private static List<Executable> makers(Class<?> type, ApetArguments arguments) {
    List<String> names = arguments.names;
    Comparator<Executable> order = Comparator.comparing(m -> -Arrays.stream(m.getParameters()).filter(p -> names.contains(ApetArguments.name(p))).count());
    order = order.thenComparing(m -> Arrays.stream(m.getParameters()).filter(p -> !ApetArguments.isAsked(p)).count()).thenComparing(m -> -m.getParameterCount());
    List<Executable> all = new ArrayList<>();
    if (!Modifier.isAbstract(type.getModifiers())) {
      boolean open = type.getClassLoader() == ApetInstances.class.getClassLoader();
      Stream.of(open ? type.getDeclaredConstructors() : type.getConstructors()).filter(c -> arguments.allowsNull || !takes(c, type)).sorted(order).forEach(all::add);
    }
    Stream.of(type.getMethods()).filter(m -> Modifier.isStatic(m.getModifiers()) && type.isAssignableFrom(m.getReturnType()) && !takes(m, type)).sorted(order).forEach(all::add);
    return all;
  }

  /** A container of the program with elements, where it has none: an empty one says little of its methods. */
  Object filled(Object container) {
    Class<?> type = container.getClass();
    if (type.getClassLoader() != ApetInstances.class.getClassLoader()) return container;
    // One that has refused its task may lack what others have.
    boolean isEmpty = arguments.style > 0;
    for (String name : "isEmpty size addEdge add insert put push offer enqueue append".split(" ")) {
      for (Method one : type.getMethods()) {
        if (!one.getName().equals(name) || Modifier.isStatic(one.getModifiers())) continue;
        try {
          if (one.getParameterCount() > 0 && (isEmpty || name.equals("addEdge"))) {
            arguments.fill(one, container);
            return container;
          }
          if (!name.equals("isEmpty") && !name.equals("size")) continue;
          Object state = call(one, container, new Object[0]);
          isEmpty = Boolean.TRUE.equals(state) || Integer.valueOf(0).equals(state);
          if (!isEmpty) return container;
        } catch (Throwable refused) {
          // then another one
        }
      }
    }
    return container;
  }

  private static boolean takes(Executable maker, Class<?> type) {
    return Arrays.asList(maker.getParameterTypes()).contains(type);
  }

  /** Calls a constructor or a method; what it throws comes as it is. */
  static Object call(Executable called, Object on, Object[] with) throws Throwable {
    if (Modifier.isPublic(called.getDeclaringClass().getModifiers()) && Modifier.isPublic(called.getModifiers()) || called.getDeclaringClass().getClassLoader() == ApetInstances.class.getClassLoader()) called.setAccessible(true);
    try {
      return called instanceof Method ? ((Method) called).invoke(on, with) : ((Constructor<?>) called).newInstance(with);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** The class itself, else those of the program that extend or implement it, by name. */
  List<Class<?>> concrete(Class<?> type) throws Exception {
    if (!Modifier.isAbstract(type.getModifiers())) return List.of(type);
    List<Class<?>> known = classes.get(type);
    if (known == null) classes.put(type, known = ofProgram(type));
    return known;
  }

  private static List<Class<?>> ofProgram(Class<?> type) throws Exception {
    List<Class<?>> all = new ArrayList<>();
    all.add(type);
    if (type.getProtectionDomain().getCodeSource() == null) return all;
    for (String name : classNames(new File(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toPath())) {
      Class<?> one = Class.forName(name, false, type.getClassLoader());
      if (type.isAssignableFrom(one) && !Modifier.isAbstract(one.getModifiers()) && !one.isAnonymousClass()) all.add(one);
    }
    return all;
  }

  /** The names of the classes in a folder. */
  static List<String> classNames(Path folder) throws java.io.IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.map(f -> folder.relativize(f).toString()).filter(f -> f.endsWith(".class")).map(f -> f.substring(0, f.length() - 6).replace(File.separatorChar, '.')).sorted().collect(Collectors.toList());
    }
  }

  private static ClassLoader loader(Class<?> type) {
    return type.getClassLoader() == null ? ApetInstances.class.getClassLoader() : type.getClassLoader();
  }

  /** The answer of an interface that nobody implements: its default, an argument of the right type, else a plain value. */
  private Object answer(Object proxy, Method method, Object[] with) throws Throwable {
    Class<?> type = method.getReturnType();
    String name = method.getName();
    int count = with == null ? 0 : with.length;
    if (name.equals("equals") && count == 1) return proxy == with[0];
    if (name.equals("hashCode") && count == 0) return System.identityHashCode(proxy);
    if (name.equals("toString") && count == 0) return method.getDeclaringClass().getSimpleName();
    if (method.isDefault()) {
      try { // since Java 16
        return Class.forName("java.lang.reflect.InvocationHandler").getMethod("invokeDefault", Object.class, Method.class, Object[].class).invoke(null, proxy, method, with);
      } catch (ReflectiveOperationException older) {
        // as if it had no code
      }
    }
    if (type == void.class) return null;
    for (int i = 0; i < count; i++) if (type.isInstance(with[i])) return with[i];
    if (type == boolean.class) return count > 0 && (arguments.style > 0 || (Arrays.hashCode(with) & 1) == 0);
    return arguments.of(type, 1);
  }
}
