import java.lang.reflect.Array;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Arguments of a task: numbers as they are given, and of arrays, texts and lists, whose length is given, random
 * elements, the same in every run: whole numbers from 0 below the length, fractions from 0.1 to 1.1, small letters.
 */
final class ApetArguments {
  private static final int LETTERS = 8;
  private final Random random = new Random(1);

  /** The name of what a parameter needs a value for: `n`, or `a_length` of an array, text or list `a`. */
  static String name(Parameter parameter) {
    return isFilled(parameter.getType()) ? parameter.getName() + "_length" : parameter.getName();
  }

  /** An argument by the values of names; rows of a matrix `a` are as long as it has rows, or `a_length2`. */
  Object of(Parameter parameter, List<String> names, double[] values) {
    double value = values[names.indexOf(name(parameter))];
    if (!isFilled(parameter.getType())) return number(parameter.getType(), value);
    int rows = names.indexOf(name(parameter) + "2");
    if (List.class.isAssignableFrom(parameter.getType()) || parameter.getType().isAssignableFrom(List.class)) return list(parameter, (int) value);
    return filled(parameter.getType(), (int) value, rows < 0 ? (int) value : (int) values[rows]);
  }

  /** An argument by its value or length alone. */
  Object of(Class<?> type, int value) {
    return isFilled(type) ? filled(type, value, value) : number(type, value);
  }

  private static boolean isFilled(Class<?> type) {
    return type.isArray() || CharSequence.class.isAssignableFrom(type) || type.isAssignableFrom(ArrayList.class) && type != Object.class;
  }

  private Object filled(Class<?> type, int length, int inner) {
    if (type.isAssignableFrom(String.class)) return text(length);
    if (!type.isArray()) throw unknown(type);
    Object array = Array.newInstance(type.getComponentType(), length);
    for (int i = 0; i < length; i++) Array.set(array, i, element(type.getComponentType(), length, inner));
    return array;
  }

  /** A list of what its declaration says, else of whole numbers. */
  private Object list(Parameter parameter, int length) {
    if (!parameter.getType().isAssignableFrom(ArrayList.class)) throw unknown(parameter.getType());
    Type declared = parameter.getParameterizedType();
    Type one = declared instanceof ParameterizedType ? ((ParameterizedType) declared).getActualTypeArguments()[0] : null;
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < length; i++) list.add(element(one instanceof Class ? (Class<?>) one : Integer.class, length, length));
    return list;
  }

  private String text(int length) {
    StringBuilder letters = new StringBuilder(length);
    for (int i = 0; i < length; i++) letters.append((char) ('a' + random.nextInt(26)));
    return letters.toString();
  }

  private Object element(Class<?> type, int length, int inner) {
    if (isFilled(type)) return filled(type, type.isArray() ? inner : LETTERS, inner);
    if (type == double.class || type == Double.class || type == float.class || type == Float.class) return number(type, random.nextDouble() + 0.1);
    if (type == char.class || type == Character.class) return (char) ('a' + random.nextInt(26));
    return number(type, type == boolean.class || type == Boolean.class ? random.nextInt(2) : random.nextInt(length));
  }

  private static Object number(Class<?> type, double value) {
    if (type == int.class || type.isAssignableFrom(Integer.class)) return (int) value;
    if (type == long.class || type == Long.class) return (long) value;
    if (type == float.class || type == Float.class) return (float) value;
    if (type == double.class || type == Double.class) return value;
    if (type == short.class || type == Short.class) return (short) value;
    if (type == byte.class || type == Byte.class) return (byte) value;
    if (type == char.class || type == Character.class) return (char) value;
    if (type == boolean.class || type == Boolean.class) return value != 0;
    throw unknown(type);
  }

  private static RuntimeException unknown(Class<?> type) {
    return new IllegalArgumentException("a task takes numbers, texts, arrays and lists, not " + type.getSimpleName() + ": name a method without it, such as a run() that makes one");
  }
}
