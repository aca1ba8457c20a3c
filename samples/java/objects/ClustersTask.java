import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Some rounds of k-means on points of its own: each point joins the nearest centre, each centre moves to its points. */
public final class ClustersTask {
    private ClustersTask() {}

    static final class Point {
        final double x, y;

        Point(double x, double y) {
            this.x = x;
            this.y = y;
        }

        double squaredDistance(Point other) {
            double dx = x - other.x, dy = y - other.y;
            return dx * dx + dy * dy;
        }
    }

    static List<Point> draw(Random random, int count) {
        List<Point> points = new ArrayList<>();
        for (int k = 0; k < count; k++) points.add(new Point(random.nextDouble(), random.nextDouble()));
        return points;
    }

    static int nearest(Point point, List<Point> centres) {
        int best = 0;
        double shortest = Double.MAX_VALUE;
        for (int c = 0; c < centres.size(); c++) {
            double distance = point.squaredDistance(centres.get(c));
            if (distance < shortest) {
                shortest = distance;
                best = c;
            }
        }
        return best;
    }

    static List<Point> moved(List<Point> points, List<Point> centres) {
        double[] x = new double[centres.size()], y = new double[centres.size()];
        int[] members = new int[centres.size()];
        for (Point point : points) {
            int c = nearest(point, centres);
            x[c] += point.x;
            y[c] += point.y;
            members[c]++;
        }

        List<Point> result = new ArrayList<>();
        for (int c = 0; c < members.length; c++) {
            result.add(members[c] == 0 ? centres.get(c) : new Point(x[c] / members[c], y[c] / members[c]));
        }
        return result;
    }

    public static double run(int seed, int count, int rounds) {
        Random random = new Random(seed);
        List<Point> points = draw(random, count);
        List<Point> centres = draw(random, 8);
        for (int round = 0; round < rounds; round++) centres = moved(points, centres);
        return centres.get(0).x;
    }
}
