/** Counts how many of some random points of a square fall into the quarter of a circle inside it. */
public final class PiTask {
    private PiTask() {}

    public static long run(long points) {
        long inside = 0;
        for (long i = 0; i < points; i++) {
            double x = Math.random();
            double y = Math.random();
            if (x * x + y * y <= 1.0) inside++;
        }
        return inside;
    }
}
