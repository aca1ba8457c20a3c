import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.PriorityQueue;
import java.util.Stack;
import java.util.TreeMap;

/**
 * Calls of the library whose cost is measured. `lib_X` is one call; `lib_X_small` and `lib_X_large` are the same on short
 * texts and small tables, and on long and large ones; `lib_X_16` and `lib_X_256` work on so many elements.
 */
public class Library {
  static final int SMALL = 256, LARGE = 1 << 16;
  static final Integer[] KEYS = new Integer[LARGE];
  static final String[] SHORT = texts(8, 1), SAME_SHORT = texts(8, 1), LONG = texts(64, 1), SAME_LONG = texts(64, 1);
  static final String[] NUMBERS = new String[64];

  static {
    for (int i = 0; i < LARGE; i++) KEYS[i] = i * 40503 & (LARGE - 1);
    for (int i = 0; i < 64; i++) NUMBERS[i] = Integer.toString(i * 7919);
  }

  static String[] texts(int length, int seed) {
    String[] texts = new String[64];
    for (int k = 0; k < 64; k++) {
      char[] c = new char[length];
      for (int i = 0; i < length; i++) c[i] = (char) ('a' + (k * 31 + i * seed * 7) % 26);
      texts[k] = new String(c);
    }
    return texts;
  }

  static void add(String name, Harness.Case c) {
    Harness.add("lib_" + name, c);
  }

  static void texts() {
    add("String_length", n -> { int s = 0; for (int i = 0; i < n; i++) s += SHORT[i & 63].length(); return s; });
    add("String_equals_small", n -> { int s = 0; for (int i = 0; i < n; i++) if (SHORT[i & 63].equals(SAME_SHORT[i & 63])) s++; return s; });
    add("String_equals_large", n -> { int s = 0; for (int i = 0; i < n; i++) if (LONG[i & 63].equals(SAME_LONG[i & 63])) s++; return s; });
    add("String_compareTo_small", n -> { int s = 0; for (int i = 0; i < n; i++) s += SHORT[i & 63].compareTo(SHORT[i + 1 & 63]); return s; });
    add("String_compareTo_large", n -> { int s = 0; for (int i = 0; i < n; i++) s += LONG[i & 63].compareTo(SAME_LONG[i & 63]); return s; });
    add("String_hashCode", n -> { int s = 0; for (int i = 0; i < n; i++) s += LONG[i & 63].hashCode(); return s; });
    add("String_indexOf_small", n -> { int s = 0; for (int i = 0; i < n; i++) s += SHORT[i & 63].indexOf('!'); return s; });
    add("String_indexOf_large", n -> { int s = 0; for (int i = 0; i < n; i++) s += LONG[i & 63].indexOf('!'); return s; });
    add("String_contains_small", n -> { int s = 0; for (int i = 0; i < n; i++) if (SHORT[i & 63].contains("zq")) s++; return s; });
    add("String_contains_large", n -> { int s = 0; for (int i = 0; i < n; i++) if (LONG[i & 63].contains("zq")) s++; return s; });
    add("String_startsWith", n -> { int s = 0; for (int i = 0; i < n; i++) if (LONG[i & 63].startsWith("abc")) s++; return s; });
    add("String_substring_small", n -> { int s = 0; for (int i = 0; i < n; i++) s += SHORT[i & 63].substring(i & 3).length(); return s; });
    add("String_substring_large", n -> { int s = 0; for (int i = 0; i < n; i++) s += LONG[i & 63].substring(i & 3).hashCode() & 1; return s; });
    add("String_toCharArray_small", n -> { int s = 0; for (int i = 0; i < n; i++) s += SHORT[i & 63].toCharArray()[i & 7]; return s; });
    add("String_toCharArray_large", n -> { int s = 0; for (int i = 0; i < n; i++) s += LONG[i & 63].toCharArray()[i & 7]; return s; });
    add("String_toLowerCase_small", n -> { int s = 0; for (int i = 0; i < n; i++) s += SHORT[i & 63].toLowerCase().length(); return s; });
    add("String_toLowerCase_large", n -> { int s = 0; for (int i = 0; i < n; i++) s += LONG[i & 63].toLowerCase().length(); return s; });
    add("String_trim", n -> { int s = 0; for (int i = 0; i < n; i++) s += SHORT[i & 63].trim().length(); return s; });
    add("String_valueOf", n -> { int s = 0; for (int i = 0; i < n; i++) s += String.valueOf(i).length(); return s; });
    add("String_split", n -> { int s = 0; for (int i = 0; i < n; i++) s += LONG[i & 63].split("k").length; return s; });
    add("Integer_parseInt", n -> { int s = 0; for (int i = 0; i < n; i++) s += Integer.parseInt(NUMBERS[i & 63]); return s; });
    add("Integer_toString", n -> { int s = 0; for (int i = 0; i < n; i++) s += Integer.toString(i).length(); return s; });
    add("Integer_valueOf", n -> { Integer[] a = new Integer[64]; for (int i = 0; i < n; i++) a[i & 63] = Integer.valueOf(i); return a[3] == null ? 0 : a[3]; });
    add("Character_isDigit", n -> { int s = 0; for (int i = 0; i < n; i++) if (Character.isDigit((char) (i & 127))) s++; return s; });
    add("Character_isLetter", n -> { int s = 0; for (int i = 0; i < n; i++) if (Character.isLetter((char) (i & 127))) s++; return s; });
    add("StringBuilder_toString_small", n -> { StringBuilder b = new StringBuilder(SHORT[1]); int s = 0; for (int i = 0; i < n; i++) s += b.toString().length(); return s; });
    add("StringBuilder_toString_large", n -> { StringBuilder b = new StringBuilder(LONG[1]); int s = 0; for (int i = 0; i < n; i++) s += b.toString().length(); return s; });
    add("StringBuilder_append_String_small", n -> { StringBuilder b = new StringBuilder(); for (int i = 0; i < n; i++) { if ((i & 127) == 0) b.setLength(0); b.append(SHORT[i & 63]); } return b.length(); });
    add("StringBuilder_append_String_large", n -> { StringBuilder b = new StringBuilder(); for (int i = 0; i < n; i++) { if ((i & 127) == 0) b.setLength(0); b.append(LONG[i & 63]); } return b.length(); });
    add("StringBuilder_append_int", n -> { StringBuilder b = new StringBuilder(); for (int i = 0; i < n; i++) { if ((i & 127) == 0) b.setLength(0); b.append(i & 65535); } return b.length(); });
    add("StringBuilder_append_double", n -> { StringBuilder b = new StringBuilder(); for (int i = 0; i < n; i++) { if ((i & 127) == 0) b.setLength(0); b.append((i & 65535) * 0.37); } return b.length(); });
    add("StringBuilder_append_Object", n -> { StringBuilder b = new StringBuilder(); for (int i = 0; i < n; i++) { if ((i & 127) == 0) b.setLength(0); b.append(KEYS[i & 65535]); } return b.length(); });
    add("StringBuilder_charAt", n -> { StringBuilder b = new StringBuilder(LONG[1]); int s = 0; for (int i = 0; i < n; i++) s += b.charAt(i & 63); return s; });
    add("StringBuilder_setCharAt", n -> { StringBuilder b = new StringBuilder(LONG[1]); for (int i = 0; i < n; i++) b.setCharAt(i & 63, (char) (i & 127)); return b.length(); });
    add("StringBuilder_reverse", n -> { StringBuilder b = new StringBuilder(SHORT[1]); for (int i = 0; i < n; i++) b.reverse(); return b.length(); });
    add("StringBuilder_insert", n -> { StringBuilder b = new StringBuilder(LONG[1]); for (int i = 0; i < n; i++) { b.insert(0, 'x'); b.setLength(64); } return b.length(); });
    add("new_StringBuilder", n -> { int s = 0; for (int i = 0; i < n; i++) { StringBuilder b = new StringBuilder(SHORT[i & 63]); KEPT = b; s += b.length(); } return s; });
  }

  static Object KEPT;

  static void tables(String size, int entries) {
    int mask = entries - 1;
    HashMap<Integer, Integer> map = new HashMap<>();
    TreeMap<Integer, Integer> tree = new TreeMap<>();
    HashSet<Integer> set = new HashSet<>();
    for (int i = 0; i < entries; i++) { map.put(KEYS[i], i); tree.put(KEYS[i], i); set.add(KEYS[i]); }
    add("HashMap_get_" + size, n -> { int s = 0; for (int i = 0; i < n; i++) s += map.get(KEYS[i & mask]); return s; });
    add("HashMap_put_" + size, n -> { for (int i = 0; i < n; i++) map.put(KEYS[i & mask], KEYS[i & 63]); return map.size(); });
    add("HashMap_merge_" + size, n -> { for (int i = 0; i < n; i++) map.merge(KEYS[i & mask], 1, Integer::sum); return map.size(); });
    add("HashSet_contains_" + size, n -> { int s = 0; for (int i = 0; i < n; i++) if (set.contains(KEYS[i & mask])) s++; return s; });
    add("HashSet_remove_" + size, n -> { for (int i = 0; i < n; i++) { set.remove(KEYS[i & mask]); set.add(KEYS[i & mask]); } return set.size(); });
    add("TreeMap_get_" + size, n -> { int s = 0; for (int i = 0; i < n; i++) s += tree.get(KEYS[i & mask]); return s; });
    add("TreeMap_put_" + size, n -> { for (int i = 0; i < n; i++) tree.put(KEYS[i & mask], KEYS[i & 63]); return tree.size(); });
    PriorityQueue<Integer> queue = new PriorityQueue<>();
    for (int i = 0; i < entries; i++) queue.add(KEYS[i]);
    add("PriorityQueue_poll_" + size, n -> { int s = 0; for (int i = 0; i < n; i++) { s += queue.poll(); queue.add(KEYS[i & mask]); } return s; });
  }

  static void sequences() {
    ArrayList<Integer> list = new ArrayList<>(Arrays.asList(KEYS).subList(0, SMALL));
    ArrayDeque<Integer> deque = new ArrayDeque<>(list);
    LinkedList<Integer> linked = new LinkedList<>(list);
    Stack<Integer> stack = new Stack<>();
    add("ArrayList_set", n -> { for (int i = 0; i < n; i++) list.set(i & 255, KEYS[i & 63]); return list.size(); });
    add("ArrayList_isEmpty", n -> { int s = 0; for (int i = 0; i < n; i++) if (!list.isEmpty()) s += i; return s; });
    add("ArrayDeque_both", n -> { int s = 0; for (int i = 0; i < n; i++) { deque.addLast(KEYS[i & 63]); s += deque.pollFirst(); } return s; });
    add("LinkedList_both", n -> { int s = 0; for (int i = 0; i < n; i++) { linked.addLast(KEYS[i & 63]); s += linked.pollFirst(); } return s; });
    add("Stack_both", n -> { int s = 0; for (int i = 0; i < n; i++) { stack.push(KEYS[i & 63]); s += stack.pop(); } return s; });
  }

  static void elements(int size) {
    int[] a = new int[size], sorted = new int[size], mixed = new int[size];
    for (int i = 0; i < size; i++) mixed[i] = KEYS[i];
    ArrayList<Integer> list = new ArrayList<>(Arrays.asList(KEYS).subList(0, size));
    add("Arrays_fill_" + size, n -> { for (int i = 0; i < n; i++) Arrays.fill(a, i); return a[3]; });
    add("Arrays_copyOf_" + size, n -> { int s = 0; for (int i = 0; i < n; i++) s += Arrays.copyOf(mixed, size)[i & 7]; return s; });
    add("array_clone_" + size, n -> { int s = 0; for (int i = 0; i < n; i++) s += mixed.clone()[i & 7]; return s; });
    add("System_arraycopy_" + size, n -> { for (int i = 0; i < n; i++) System.arraycopy(mixed, 0, a, 0, size); return a[3]; });
    add("Arrays_equals_" + size, n -> { int s = 0; for (int i = 0; i < n; i++) if (Arrays.equals(mixed, sorted)) s++; return s; });
    add("Arrays_sort_" + size, n -> {
      for (int i = 0; i < n; i++) {
        for (int k = 0; k < size; k++) sorted[k] = mixed[k] * 31 + i * 977 & 65535;
        Arrays.sort(sorted);
      }
      return sorted[3];
    });
    add("Collections_sort_" + size, n -> {
      for (int i = 0; i < n; i++) {
        for (int k = 0; k < size; k++) list.set(k, KEYS[k * 31 + i * 977 & LARGE - 1]);
        Collections.sort(list);
      }
      return list.get(3);
    });
  }

  static void register() {
    texts();
    tables("small", SMALL);
    tables("large", LARGE);
    sequences();
    elements(16);
    elements(256);
  }
}
