/** Finds the primes v with from <= v < to by trial division, from >= 2: how many there are, plus a sum over them. */
public final class PrimesTask {
    private PrimesTask() {}

    public static int run(int from, int to) {
        int count = 0;
        int check = 0;
        for (int v = from; v < to; v++) {
            int d = 2;
            while (d * d <= v && v % d != 0) d++;
            if (d * d > v) {
                count++;
                check = (31 * check + v) % 1000003;
            }
        }
        return count + check;
    }
}
