import java.util.PriorityQueue;

/** A server with a queue: the number of events until some customers are served. */
public final class EventsTask {
    record Event(long at, boolean arrives) implements Comparable<Event> {
        public int compareTo(Event other) {
            return Long.compare(at, other.at);
        }
    }

    public static int run(int seed, int customers) {
        PriorityQueue<Event> events = new PriorityQueue<>();
        events.add(new Event(0, true));
        int served = 0, waiting = 0, steps = 0, x = seed;
        while (served < customers) {
            Event event = events.poll();
            x = (x * 1103515245 + 12345) & 0x7fffffff;
            int pause = (x >> 8) % 100;
            steps++;
            if (event.arrives()) {
                events.add(new Event(event.at() + pause + 10, true));
                if (waiting++ == 0) events.add(new Event(event.at() + pause, false));
            } else {
                served++;
                if (--waiting > 0) events.add(new Event(event.at() + pause, false));
            }
        }
        return steps;
    }
}
