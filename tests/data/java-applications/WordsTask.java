import java.util.HashMap;
import java.util.Map;

/** How often the most frequent of some drawn words occurs. */
public final class WordsTask {
    public static int run(int seed, int words) {
        Map<String, Integer> counts = new HashMap<>();
        int most = 0;
        for (int i = 0, x = seed; i < words; i++) {
            x = (x * 1103515245 + 12345) & 0x7fffffff;
            String word = "w" + (x >> 8) % 997;
            int count = counts.getOrDefault(word, 0) + 1;
            counts.put(word, count);
            if (count > most) most = count;
        }
        return most;
    }
}
