import java.util.*;
public class JsonWriter extends Kernel {
  Map<String, Object> root = new LinkedHashMap<>(); public void setup(int n) { root.clear(); List<Object> l = new ArrayList<>(); for (int i = 0; i < n; i++) l.add(i % 3 == 0 ? (Object) ("s" + i) : i % 3 == 1 ? (Object) Integer.valueOf(i) : (Object) Boolean.TRUE); root.put("list", l); root.put("name", "x\"y"); }
  static void write(Object o, StringBuilder b) { if (o instanceof Map) { b.append('{'); boolean first = true; for (Map.Entry<?, ?> e : ((Map<?, ?>) o).entrySet()) { if (!first) b.append(','); first = false; write(e.getKey(), b); b.append(':'); write(e.getValue(), b); } b.append('}'); } else if (o instanceof List<?> l) { b.append('['); for (int i = 0; i < l.size(); i++) { if (i > 0) b.append(','); write(l.get(i), b); } b.append(']'); } else if (o instanceof String s) { b.append('"').append(s.replace("\"", "\\\"")).append('"'); } else b.append(o); }
  public double run() { StringBuilder b = new StringBuilder(); write(root, b); return b.length(); }
}
