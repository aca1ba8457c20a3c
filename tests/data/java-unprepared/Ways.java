import java.io.BufferedReader;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Loops that are left with a probability that depends on the index of another one, switches, resources, streams. */
public class Ways {
  enum Kind { SMALL, LARGE }

  record Pair(int first, int second) {
    int sum() {
      return first + second;
    }
  }

  int middle(int[] a, int[] b, int start, int end) {
    for (int d = 0; d <= end - start; d++) {
      for (int k = -d; k <= d; k += 2) {
        int x = a[start + k];
        while (x < end && a[x] == b[x - k]) a[x++] = 0;
        if (x >= b.length) return x;
      }
      for (int k = 0; k <= d; k++) if (b[k] == d) return k;
    }
    throw new IllegalStateException("no middle for " + start);
  }

  int described(Kind kind, Object o) {
    int size = switch (kind) {
      case SMALL -> 1;
      case LARGE -> {
        int k = Kind.values().length;
        yield k * k;
      }
    };
    if (o instanceof Pair p && p.sum() > size) size += p.first();
    return size;
  }

  String read(BufferedReader reader, String... words) throws IOException {
    StringBuilder text = new StringBuilder();
    try (reader) {
      String line;
      while ((line = reader.readLine()) != null) text.append(line.trim().toLowerCase()).append('\n');
    } catch (RuntimeException e) {
      text.setLength(0);
    } finally {
      Arrays.sort(words);
    }
    return Stream.of(words).filter(w -> w.length() > 3).map(String::strip).collect(Collectors.joining(",")) + text;
  }

  <T, R> Optional<R> applied(T value, Function<? super T, ? extends R> f) {
    return value == null ? Optional.empty() : Optional.ofNullable(f.apply(value));
  }

  static long adler(byte[] data, int n) {
    int s = 1, t = 0;
    for (int i = 0; i < n; i++) {
      s = (s + data[i]) % 65521;
      t = (t + s) % 65521;
    }
    return (long) t << 16 | s;
  }

  long packed(String text) {
    byte[] bytes = text.getBytes();
    byte[] half = Arrays.copyOfRange(bytes, 0, bytes.length / 2);
    return adler(half, half.length) ^ adler(bytes.clone(), bytes.length);
  }
}
