import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.Random;

/** Simulates customers at a counter with several clerks by events: the mean time that a customer spends there. */
public final class CounterTask {
    private CounterTask() {}

    static final class Event implements Comparable<Event> {
        final double time;
        final double arrival;   // of the customer who leaves; negative for an event that is an arrival

        Event(double time, double arrival) {
            this.time = time;
            this.arrival = arrival;
        }

        @Override
        public int compareTo(Event other) {
            return Double.compare(time, other.time);
        }
    }

    public static double run(int seed, int customers) {
        Random random = new Random(seed);
        PriorityQueue<Event> events = new PriorityQueue<>();
        ArrayDeque<Double> waiting = new ArrayDeque<>();
        int free = 3, arrived = 0;
        double spent = 0;
        events.add(new Event(0, -1));
        while (!events.isEmpty()) {
            Event event = events.poll();
            if (event.arrival < 0) {
                waiting.add(event.time);
                if (++arrived < customers) events.add(new Event(event.time - Math.log(1 - random.nextDouble()), -1));
            } else {
                spent += event.time - event.arrival;
                free++;
            }
            if (free > 0 && !waiting.isEmpty()) {
                double arrival = waiting.poll();
                free--;
                events.add(new Event(event.time - 2.5 * Math.log(1 - random.nextDouble()), arrival));
            }
        }
        return spent / customers;
    }
}
