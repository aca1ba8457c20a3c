/** Finds the primes among numbers that follow each other, by trial division: how many there are, plus a sum over them. */
public final class PrimesTask {
    private PrimesTask() {}

    public static int run(int first, int numbers) {
        int count = 0, check = 0;
        for (int k = 0; k < numbers; k++) {
            int v = first + k;
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
