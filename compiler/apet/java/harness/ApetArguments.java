import java.lang.reflect.Array;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Arguments of a task: numbers as they are given, and of arrays, texts and collections, whose length is given, random
 * elements, the same in every run: whole numbers from 0 below the length, fractions from 0.1 to 1.1, small letters.
 * Objects are made by their constructors, of whose parameters those have values that are given by name; what the others
 * get, and what elements are like, is a matter of the style: a task that refuses one may take another.
 */
final class ApetArguments {
  /** Numbers and elements: large and random; one large and others small, in order; small and in order; 0. */
  static final int STYLES = 4;
  private static final int LETTERS = 8, USUAL_SIZE = 64, MOST_SIZE = 1000, DEEPEST = 5;
  private static final List<Class<?>> COLLECTIONS = List.of(ArrayList.class, LinkedHashSet.class, TreeSet.class, ArrayDeque.class);
  private static final List<Class<?>> MAPS = List.of(HashMap.class, TreeMap.class);
  final List<String> names;
  final double[] values;
  final int style;
  /** What objects were made with that nobody has said. */
  final Map<String, String> assumed = new LinkedHashMap<>();
  /** The classes of objects that are being made, the innermost first, and whether one of them may be null within. */
  final ArrayDeque<Class<?>> making = new ArrayDeque<>();
  boolean allowsNull;
  private final Random random = new Random(1);
  private final ApetInstances instances = new ApetInstances(this);
  private int depth;

  ApetArguments(List<String> names, double[] values, int style) {
    this.names = names;
    this.values = values;
    this.style = style;
  }

  /** The name of what a parameter needs a value for: `n`, or `a_length` of an array, text or collection `a`. */
  static String name(Parameter parameter) {
    return isFilled(parameter.getType()) ? parameter.getName() + "_length" : parameter.getName();
  }

  /** Whether somebody has to say its value or length: an object can be made without. */
  static boolean isAsked(Parameter parameter) {
    return parameter.getType().isPrimitive() || isFilled(parameter.getType());
  }

  /** The parameters that have no value although they need one, with commas in between. */
  static String missing(Executable called, List<String> names) {
    StringBuilder wanted = new StringBuilder();
    for (Parameter p : called.getParameters())
      if (isAsked(p) && !names.contains(name(p))) wanted.append(wanted.length() > 0 ? ", " : "").append(name(p));
    return wanted.toString();
  }

  Object[] of(Executable called) throws Throwable {
    Parameter[] wanted = called.getParameters();
    Type[] types = called.getGenericParameterTypes();
    Object[] all = new Object[wanted.length];
    int numbers = 0;
    for (int i = 0; i < all.length; i++) {
      // Of an inner class, the generic types lack the object around it.
      Type type = types.length == wanted.length ? types[i] : wanted[i].getType();
      int given = names.indexOf(name(wanted[i])), rows = names.indexOf(name(wanted[i]) + "2");
      double value = given >= 0 ? values[given] : isNumber(wanted[i].getType()) ? scalar(numbers++) : size();
      if (given < 0 && isAsked(wanted[i])) assumed.put(called.getDeclaringClass().getSimpleName() + ": " + name(wanted[i]), (long) value + "");
      all[i] = isNumber(wanted[i].getType()) ? number(wanted[i].getType(), value) : made(type, (int) value, rows < 0 ? (int) value : (int) values[rows]);
    }
    return all;
  }

  /** Calls a method of a container with one element after the other; those that it refuses are left out. */
  void fill(Method adding, Object container) throws Throwable {
    Class<?>[] types = adding.getParameterTypes();
    for (Class<?> type : types) if (!isNumber(type) && !type.isAssignableFrom(Integer.class) && !isFilled(type)) throw unknown(type);
    int taken = 0, size = size();
    for (int k = 0; k < size; k++) {
      Object[] element = new Object[types.length];
      for (int i = 0; i < types.length; i++) element[i] = element(types[i], k, size, LETTERS);
      try {
        ApetInstances.call(adding, container, element);
        taken++;
      } catch (Exception refused) {
        // an edge from a node to itself, a key that is there
      }
    }
    assumed.put(container.getClass().getSimpleName() + "." + adding.getName(), taken + " times");
  }

  /** An argument by its value or length alone. */
  Object of(Class<?> type, int value) throws Throwable {
    return isNumber(type) ? number(type, value) : made(type, value, value);
  }

  /** The size of what has none: the greatest that is given. */
  private int size() {
    double most = Arrays.stream(values).filter(v -> v >= 1 && v <= MOST_SIZE).max().orElse(USUAL_SIZE);
    return style == STYLES - 1 ? 2 : (int) most;
  }

  private double scalar(int k) {
    return style == 0 ? Math.max(1, size() - k) : style == 1 ? (k == 0 ? size() : k - 1) : style == 2 ? k + 1 : 0;
  }

  static boolean isFilled(Class<?> type) {
    return type.isArray() || CharSequence.class.isAssignableFrom(type) || type != Object.class && (of(COLLECTIONS, type) != null || of(MAPS, type) != null);
  }

  private static Class<?> of(List<Class<?>> kinds, Class<?> type) {
    if (type.getName().startsWith("java.io") || type == Cloneable.class) return null;
    for (Class<?> kind : kinds) if (type.isAssignableFrom(kind)) return kind;
    boolean own = (Collection.class.isAssignableFrom(type) ? COLLECTIONS : Map.class.isAssignableFrom(type) ? MAPS : null) == kinds;
    return own && type.getName().startsWith("java.util.") && !Modifier.isAbstract(type.getModifiers()) ? type : null;
  }

  /** What stands for a type: the bound of a variable, the first part of a generic one. */
  static Class<?> raw(Type type) {
    if (type instanceof Class) return (Class<?>) type;
    if (type instanceof ParameterizedType) return (Class<?>) ((ParameterizedType) type).getRawType();
    if (type instanceof TypeVariable) return raw(((TypeVariable<?>) type).getBounds()[0]);
    if (type instanceof WildcardType) return raw(((WildcardType) type).getUpperBounds()[0]);
    return Array.newInstance(raw(((java.lang.reflect.GenericArrayType) type).getGenericComponentType()), 0).getClass();
  }

  private static Type argument(Type type, int k) {
    Type[] all = type instanceof ParameterizedType ? ((ParameterizedType) type).getActualTypeArguments() : new Type[0];
    return k < all.length ? all[k] : Integer.class;
  }

  Object made(Type type, int length, int inner) throws Throwable {
    Class<?> plain = raw(type);
    if (++depth > DEEPEST) throw unknown(plain);
    try {
      if (plain.isArray()) return array(plain.getComponentType(), length, inner);
      if (CharSequence.class.isAssignableFrom(plain) && plain != CharSequence.class && plain != String.class) return plain.getConstructor(String.class).newInstance(text(length));
      if (plain == CharSequence.class || plain == String.class) return text(length);
      if (plain.isAssignableFrom(Integer.class) || isNumber(plain)) return element(plain, 0, length, inner);
      Class<?> collection = of(COLLECTIONS, plain), map = of(MAPS, plain);
      if (collection != null) return collection(collection, argument(type, 0), length, inner);
      return map != null ? map(map, type, length, inner) : instances.of(plain);
    } finally {
      depth--;
    }
  }

  private Object array(Class<?> type, int length, int inner) throws Throwable {
    Object array = Array.newInstance(type, length);
    for (int i = 0; i < length; i++) Array.set(array, i, element(type, i, length, inner));
    return array;
  }

  @SuppressWarnings("unchecked")
  private Object collection(Class<?> kind, Type of, int length, int inner) throws Throwable {
    Collection<Object> all = (Collection<Object>) kind.getConstructor().newInstance();
    for (int i = 0; i < length; i++) all.add(element(of, i, length, inner));
    return all;
  }

  @SuppressWarnings("unchecked")
  private Object map(Class<?> kind, Type type, int length, int inner) throws Throwable {
    Map<Object, Object> all = (Map<Object, Object>) kind.getConstructor().newInstance();
    for (int i = 0; i < length; i++) all.put(element(argument(type, 0), i, length, inner), element(argument(type, 1), i, length, inner));
    return all;
  }

  private String text(int length) {
    StringBuilder letters = new StringBuilder(length);
    for (int i = 0; i < length; i++) letters.append((char) (style == 0 ? 'a' + random.nextInt(26) : '0' + (style == 1 ? (i + 1) % 10 : i % 2)));
    return letters.toString();
  }

  /** The k-th element; those of a matrix and of a list of lists have a length of their own. */
  private Object element(Type type, int k, int length, int inner) throws Throwable {
    Class<?> plain = raw(type);
    boolean ordered = style == 1 || style == 2;
    if (plain == double.class || plain == Double.class || plain == float.class || plain == Float.class) return number(plain, (ordered ? k : random.nextDouble()) + 0.1);
    if (plain == char.class || plain == Character.class) return (char) ('a' + (ordered ? k % 26 : random.nextInt(26)));
    if (plain == boolean.class || plain == Boolean.class) return random.nextInt(2) == 1;
    if (isNumber(plain) || plain.isAssignableFrom(Integer.class)) return number(plain, ordered ? k : random.nextInt(Math.max(1, length)));
    return made(type, CharSequence.class.isAssignableFrom(plain) ? LETTERS : inner, inner);
  }

  static boolean isNumber(Class<?> type) {
    return type.isPrimitive() || type == Boolean.class || type == Character.class || Number.class.isAssignableFrom(type) && type.getName().startsWith("java.lang.") && type != Number.class;
  }

  private static Object number(Class<?> type, double value) {
    if (type == int.class || type.isAssignableFrom(Integer.class)) return (int) value;
    if (type == long.class || type == Long.class) return (long) value;
    if (type == float.class || type == Float.class) return (float) value;
    if (type == double.class || type == Double.class) return value;
    if (type == short.class || type == Short.class) return (short) value;
    if (type == byte.class || type == Byte.class) return (byte) value;
    if (type == char.class || type == Character.class) return (char) value;
    return value != 0;
  }

  static IllegalArgumentException unknown(Class<?> type) {
    return unknown(type, "");
  }

  static IllegalArgumentException unknown(Class<?> type, String reason) {
    return new IllegalArgumentException("no " + type.getSimpleName() + " could be made for the run" + reason + ": name a method without it, such as a run() that makes one");
  }
}
