// Shop.java: a small web service under load. Each request takes one of some application workers, then the one database.
//
//     java samples/web/Shop.java WORKERS SECONDS RATE ... > metrics.csv
//
// For each rate of requests per second, a line for every five seconds: what a monitoring system would report (throughput
// and busy shares), and response times as the clients see them. Times of work are exponential: 30 ms and 6 ms in the mean.

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

public final class Shop {
    static final double APP_MS = 30, DB_MS = 6, LINE_SECONDS = 5;

    /** Some servers with one line before them, and how long they have been busy in all. */
    static final class Station {
        final ExecutorService servers;
        final LongAdder busyNanos = new LongAdder();
        final int count;
        final double meanMillis;

        Station(int count, double meanMillis) {
            this.count = count;
            servers = Executors.newFixedThreadPool(count);
            this.meanMillis = meanMillis;
        }

        void serve(Runnable after) {
            servers.execute(() -> {
                long begun = System.nanoTime();
                pause(exponential(meanMillis));
                busyNanos.add(System.nanoTime() - begun);
                after.run();
            });
        }
    }

    static final Random CHANCE = new Random(1);

    static synchronized double exponential(double mean) {
        return -mean * Math.log(1 - CHANCE.nextDouble());
    }

    static void pause(double millis) {
        try {
            Thread.sleep((long) millis, (int) (millis % 1 * 1e6));
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    static void answer(HttpExchange exchange) {
        try (exchange) {
            exchange.sendResponseHeaders(200, -1);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    public static void main(String[] arguments) throws Exception {
        int workers = Integer.parseInt(arguments[0]);
        double seconds = Double.parseDouble(arguments[1]);
        Station app = new Station(workers, APP_MS), db = new Station(1, DB_MS);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
        server.createContext("/", exchange -> app.serve(() -> db.serve(() -> answer(exchange))));
        server.start();

        URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        Load load = new Load(address);
        load.run(20, 2); // connections and compiled code
        System.out.println("rate,throughput,utilization[app],utilization[db],mean_ms,p95_ms");
        for (int k = 2; k < arguments.length; k++)
            load.run(Double.parseDouble(arguments[k]), seconds, app, db);
        System.exit(0);
    }

    /** Requests at random, as many clients send them: nobody waits for an answer before the next request. */
    static final class Load {
        final HttpClient client = HttpClient.newHttpClient();
        final HttpRequest request;
        final ConcurrentLinkedQueue<Double> millis = new ConcurrentLinkedQueue<>();
        final Semaphore answered = new Semaphore(0);

        Load(URI address) {
            request = HttpRequest.newBuilder(address).build();
        }

        /** Sends requests for so long, and prints what was answered in each line's time. */
        void run(double rate, double seconds, Station... stations) {
            int sent = 0;
            for (double line = 0; line < seconds; line += LINE_SECONDS) {
                double[] before = busy(stations);
                double length = Math.min(LINE_SECONDS, seconds - line);
                long begun = System.nanoTime();
                for (double at = exponential(1 / rate); at < length; at += exponential(1 / rate), sent++) {
                    pause(Math.max(0, at * 1e3 - (System.nanoTime() - begun) / 1e6));
                    send();
                }
                pause(Math.max(0, length * 1e3 - (System.nanoTime() - begun) / 1e6));
                double[] times = Stream.generate(millis::poll).takeWhile(t -> t != null).mapToDouble(t -> t).sorted().toArray();
                if (stations.length > 0 && times.length > 0)
                    print(rate, (System.nanoTime() - begun) / 1e9, times, stations, before);
            }
            answered.acquireUninterruptibly(sent);
            millis.clear();
        }

        static void print(double rate, double elapsed, double[] times, Station[] stations, double[] before) {
            double[] after = busy(stations);
            System.out.printf(Locale.ROOT, "%.0f,%.2f", rate, times.length / elapsed);
            for (int k = 0; k < stations.length; k++)
                System.out.printf(Locale.ROOT, ",%.4f", (after[k] - before[k]) / elapsed / stations[k].count);
            double mean = Arrays.stream(times).average().orElse(0), p95 = times[(int) (0.95 * times.length)];
            System.out.printf(Locale.ROOT, ",%.1f,%.1f%n", mean, p95);
        }

        static double[] busy(Station[] stations) {
            return Arrays.stream(stations).mapToDouble(s -> s.busyNanos.sum() / 1e9).toArray();
        }

        void send() {
            long begun = System.nanoTime();
            client.sendAsync(request, BodyHandlers.discarding()).whenComplete((response, wrong) -> {
                millis.add((System.nanoTime() - begun) / 1e6);
                answered.release();
            });
        }
    }
}
