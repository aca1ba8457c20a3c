import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** Sorts random orders by customer and amount and adds them up by customer, as a report of a shop does. */
public final class OrdersTask {
    private OrdersTask() {}

    record Order(int customer, long cents) {}

    static List<Order> draw(int seed, int count) {
        List<Order> orders = new ArrayList<>(count);
        long state = seed;
        for (int k = 0; k < count; k++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            orders.add(new Order((int) (state >>> 54), (state >>> 20) % 100000));
        }
        return orders;
    }

    public static long run(int seed, int count) {
        List<Order> orders = draw(seed, count);
        orders.sort(Comparator.comparingInt(Order::customer).thenComparingLong(Order::cents));

        TreeMap<Integer, Long> totals = new TreeMap<>();
        for (Order order : orders) totals.merge(order.customer(), order.cents(), Long::sum);

        StringBuilder report = new StringBuilder();
        for (var entry : totals.entrySet()) {
            report.append(entry.getKey()).append(": ").append(entry.getValue()).append('\n');
        }
        return report.length();
    }
}
