/** Estimates pi by throwing points at a square: the share that falls into the circle. */
public class Pi {
    public static void main(String[] arguments) {
        int n = 1000000;
        int hits = 0;
        for (int i = 0; i < n; i++) {
            double x = Math.random();
            double y = Math.random();
            if (x * x + y * y <= 1.0) hits++;
        }
    }
}
