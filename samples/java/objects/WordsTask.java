import java.util.HashMap;
import java.util.Map;

/** Counts how often each word occurs in a text of random words, as the map step of a word count does. */
public final class WordsTask {
    private WordsTask() {}

    public static int run(int seed, int words) {
        Map<String, Integer> counts = new HashMap<>();
        long state = seed;
        for (int k = 0; k < words; k++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            int draw = (int) (state >>> 54);
            String word = "word" + draw * draw / 1024;  // early words are more frequent
            Integer before = counts.get(word);
            counts.put(word, before == null ? 1 : before + 1);
        }

        int most = 0;
        for (Map.Entry<String, Integer> entry : counts.entrySet()) {
            if (entry.getValue() > most) most = entry.getValue();
        }
        return most;
    }
}
