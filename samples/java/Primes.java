/** Counts the primes between two numbers by trial division. */
public class Primes {
    int from, to;

    Primes(int from, int to) {
        this.from = from;
        this.to = to;
    }

    static boolean prime(int v) {
        for (int d = 2; d * d <= v; d++) {
            if (v % d == 0) return false;
        }
        return true;
    }

    public int run() {
        int count = 0;
        for (int v = from; v <= to; v++) {
            if (prime(v)) count++;
        }
        return count;
    }
}
