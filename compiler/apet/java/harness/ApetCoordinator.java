import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;

/**
 * Runs an application on workers and times it. Arguments: warm-up in seconds, fewest runs to warm up, runs, ports of the
 * workers. Standard input is the plan, a line for each thing:
 *
 * <pre>
 * batch NAME CLASS METHOD tasks coordinator(0/1) toTask fromTask toWorker fromWorker replicas formals…
 * values NAME number…            a row of values for the formals; one row, or one for each task
 * static NAME worker task…       tasks dealt to a worker (from 0) beforehand
 * dynamic NAME task…             tasks that go to whoever becomes free first
 * order … )                      batches and groups: "(; …" one after the other, "(| …" at once
 * </pre>
 *
 * <p>Sizes are bytes, -1 for no message. Prints a line for each run: "run", seconds of wall time, seconds of CPU of all
 * tasks; then "result", a batch and the sum of what its tasks returned in the last run.
 */
public final class ApetCoordinator {
  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** What is known of a batch, and how far it is. */
  static final class Batch {
    String name, type, method;
    int tasks, toTask, fromTask, toWorker, fromWorker, replicas;
    boolean here;
    List<String> formals = new ArrayList<>();
    List<double[]> values = new ArrayList<>();
    Map<Integer, int[]> dealt = new HashMap<>();
    int[] dynamic = {};
    Link[] links = {};
    ApetTask own;

    int next, missing;
    boolean[] done;
    int[] copies;
    double sum, used;
    final List<Thread> threads = new ArrayList<>();

    double[] row(int task) {
      return values.get(values.size() == 1 ? 0 : task);
    }

    synchronized void start() {
      next = 0;
      missing = tasks;
      done = new boolean[tasks];
      copies = new int[tasks];
      sum = used = 0;
    }

    /** The next task that nobody has. */
    synchronized int another() {
      return next < dynamic.length ? dynamic[next++] : -1;
    }

    /** An unfinished task to copy: the one with the fewest copies. */
    synchronized int copy() {
      int found = -1;
      for (int k = 0; k < tasks; k++) if (!done[k] && (found < 0 || copies[k] < copies[found])) found = k;
      if (found >= 0) copies[found]++;
      return found;
    }

    synchronized void finished(int[] some, double seconds, double result) {
      used += seconds;
      boolean fresh = false;
      for (int k : some)
        if (!done[k]) {
          done[k] = true;
          missing--;
          fresh = true;
        }
      if (fresh || some.length == 0) sum += result;
      notifyAll();
    }

    synchronized void await() throws InterruptedException {
      while (missing > 0) wait();
    }
  }

  /** A connection to a worker for one batch. */
  static final class Link {
    final DataInputStream in;
    final DataOutputStream out;
    double seconds, result;

    Link(int port, Batch batch) throws Exception {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      in = new DataInputStream(socket.getInputStream());
      out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
      out.writeUTF(batch.type);
      out.writeUTF(batch.method);
      out.writeInt(batch.formals.size());
      for (String name : batch.formals) out.writeUTF(name);
      for (double value : batch.row(0)) out.writeDouble(value);
      out.flush();
      check(in.readInt(), batch);
    }

    private void check(int answer, Batch batch) throws Exception {
      if (answer == ApetWorker.FAILED) fail(batch, in.readUTF());
    }

    /** Asks for tasks: a message of the size, at least as long as the values in it. */
    void ask(Batch batch, int each, int end, int[] tasks, int size) throws Exception {
      int rows = tasks.length == 0 ? 0 : batch.values.size() == 1 ? 1 : tasks.length, columns = batch.formals.size();
      ByteBuffer data = ByteBuffer.allocate(Math.max(size, 8 * rows * columns));
      for (int k = 0; k < rows; k++) for (double value : batch.row(tasks[k])) data.putDouble(value);
      for (int number : new int[] {each, end, tasks.length, rows, columns, data.capacity()}) out.writeInt(number);
      out.write(data.array());
      out.flush();
    }

    void answer(Batch batch) throws Exception {
      int size = in.readInt();
      check(size, batch);
      seconds = in.readDouble();
      result = in.readDouble();
      in.readFully(new byte[size]);
    }
  }

  static void fail(Batch batch, String said) {
    System.err.println("batch " + batch.name + ": " + said);
    System.exit(3);
  }

  /** One worker's part of a batch: its own tasks, then what is left, then copies of what is not finished. */
  static void work(Batch batch, int worker) throws Exception {
    Link link = batch.links[worker];
    int[] own = batch.dealt.getOrDefault(worker, new int[0]);
    boolean more = batch.dynamic.length > 0 || batch.replicas > 0;
    boolean said = false;
    if (batch.toTask < 0) {
      int end = !more ? batch.fromWorker : batch.fromTask < 0 ? 0 : -1;
      said = !more;
      link.ask(batch, batch.fromTask, end, own, batch.toWorker);
      if (batch.fromTask >= 0) for (int k : own) take(batch, link, k);
      if (end >= 0) take(batch, link, batch.fromTask >= 0 ? new int[0] : own);
    } else {
      if (batch.toWorker >= 0) link.ask(batch, -1, -1, new int[0], batch.toWorker);
      boolean waits = batch.fromTask >= 0;
      for (int i = 0; i < own.length; i++) {
        boolean last = !waits && i == own.length - 1;
        int end = last ? (more ? 0 : batch.fromWorker) : -1;
        link.ask(batch, batch.fromTask, end, new int[] {own[i]}, batch.toTask);
        if (waits) take(batch, link, own[i]);
        else if (last) take(batch, link, own);
        said |= last && !more;
      }
    }
    if (more) rest(batch, link);
    if (batch.fromWorker >= 0 && !said) {
      link.ask(batch, -1, batch.fromWorker, new int[0], 0);
      take(batch, link);
    }
  }

  private static void rest(Batch batch, Link link) throws Exception {
    int each = Math.max(batch.fromTask, 0), size = Math.max(batch.toTask, 0);
    for (int k; (k = batch.another()) >= 0; ) {
      link.ask(batch, each, -1, new int[] {k}, size);
      take(batch, link, k);
    }
    for (int i = 0, k; i < batch.replicas && (k = batch.copy()) >= 0; i++) {
      link.ask(batch, each, -1, new int[] {k}, size);
      take(batch, link, k);
    }
  }

  private static void take(Batch batch, Link link, int... tasks) throws Exception {
    link.answer(batch);
    batch.finished(tasks, link.seconds, link.result);
  }

  static void run(Batch batch) throws Exception {
    batch.start();
    if (batch.here) {
      long before = THREADS.getCurrentThreadCpuTime();
      try {
        for (int k = 0; k < batch.tasks; k++) batch.finished(new int[] {k}, 0, batch.own.run(batch.row(k)));
      } catch (Throwable e) {
        fail(batch, ApetWorker.shortened(e));
      }
      batch.used += (THREADS.getCurrentThreadCpuTime() - before) * 1e-9;
      return;
    }
    batch.threads.clear();
    for (int w = 0; w < batch.links.length; w++) {
      int worker = w;
      batch.threads.add(started(() -> work(batch, worker), batch));
    }
    if (batch.replicas > 0) batch.await();
    else for (Thread one : batch.threads) one.join();
  }

  interface Step {
    void run() throws Exception;
  }

  private static Thread started(Step step, Batch batch) {
    Thread thread =
        new Thread(
            () -> {
              try {
                step.run();
              } catch (Exception e) {
                fail(batch, "lost a worker: " + e);
              }
            });
    thread.start();
    return thread;
  }

  /** Runs batches and groups up to the closing bracket. */
  static void order(StringTokenizer words, Map<String, Batch> batches, boolean atOnce) throws Exception {
    List<Thread> running = new ArrayList<>();
    for (String word; words.hasMoreTokens() && !(word = words.nextToken()).equals(")"); ) {
      String name = word;
      if (word.equals("(;") || word.equals("(|")) {
        StringBuilder inner = new StringBuilder();
        for (int depth = 1; depth > 0; ) {
          String one = words.nextToken();
          depth += one.startsWith("(") ? 1 : one.equals(")") ? -1 : 0;
          inner.append(one).append(' ');
        }
        Step group = () -> order(new StringTokenizer(inner.toString()), batches, name.equals("(|"));
        if (atOnce) running.add(started(group, batches.values().iterator().next()));
        else group.run();
      } else if (atOnce) running.add(started(() -> run(batches.get(name)), batches.get(name)));
      else run(batches.get(name));
    }
    for (Thread one : running) one.join();
  }

  public static void main(String[] a) throws Exception {
    double warm = Double.parseDouble(a[0]);
    int fewest = Integer.parseInt(a[1]), runs = Integer.parseInt(a[2]);
    Map<String, Batch> batches = new LinkedHashMap<>();
    String plan = read(batches);
    for (Batch batch : batches.values()) open(batch, a);
    PrintStream out = System.out;
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    long begin = System.nanoTime();
    for (int k = 0; k < fewest || (System.nanoTime() - begin) * 1e-9 < warm; k++) once(plan, batches);
    for (int k = 0; k < runs; k++) {
      double wall = once(plan, batches), used = 0;
      for (Batch batch : batches.values()) used += batch.used;
      out.println("run " + wall + " " + used);
    }
    for (Batch batch : batches.values()) out.println("result " + batch.name + " " + batch.sum);
    out.flush();
    System.exit(0);
  }

  /** Seconds of one run; what is still on its way afterwards ends before the next one begins. */
  private static double once(String plan, Map<String, Batch> batches) throws Exception {
    long start = System.nanoTime();
    order(new StringTokenizer(plan), batches, false);
    double seconds = (System.nanoTime() - start) * 1e-9;
    for (Batch batch : batches.values()) for (Thread one : batch.threads) one.join();
    return seconds;
  }

  private static void open(Batch batch, String[] a) throws Exception {
    if (batch.here) {
      try {
        batch.own = new ApetTask(batch.type, batch.method, batch.formals);
        batch.own.prepare(batch.row(0));
      } catch (Throwable e) {
        fail(batch, ApetWorker.shortened(e));
      }
      return;
    }
    batch.links = new Link[a.length - 3];
    for (int w = 0; w < batch.links.length; w++) batch.links[w] = new Link(Integer.parseInt(a[w + 3]), batch);
  }

  private static String read(Map<String, Batch> batches) throws Exception {
    BufferedReader plan = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    for (String line; (line = plan.readLine()) != null; ) {
      String[] words = line.split(" ");
      if (words[0].equals("order")) return line.substring("order ".length());
      Batch batch = batches.computeIfAbsent(words[1], k -> new Batch());
      switch (words[0]) {
        case "batch": declared(batch, words); break;
        case "values": batch.values.add(numbers(words, 2)); break;
        case "static": batch.dealt.put(Integer.parseInt(words[2]), indices(words, 3)); break;
        case "dynamic": batch.dynamic = indices(words, 2); break;
        default: throw new IllegalArgumentException(line);
      }
    }
    throw new IllegalArgumentException("the plan has no order");
  }

  private static void declared(Batch batch, String[] words) {
    batch.name = words[1];
    batch.type = words[2];
    batch.method = words[3];
    batch.tasks = Integer.parseInt(words[4]);
    batch.here = words[5].equals("1");
    batch.toTask = Integer.parseInt(words[6]);
    batch.fromTask = Integer.parseInt(words[7]);
    batch.toWorker = Integer.parseInt(words[8]);
    batch.fromWorker = Integer.parseInt(words[9]);
    batch.replicas = Integer.parseInt(words[10]);
    for (int k = 11; k < words.length; k++) batch.formals.add(words[k]);
  }

  private static double[] numbers(String[] words, int from) {
    double[] found = new double[words.length - from];
    for (int k = 0; k < found.length; k++) found[k] = Double.parseDouble(words[from + k]);
    return found;
  }

  private static int[] indices(String[] words, int from) {
    int[] found = new int[words.length - from];
    for (int k = 0; k < found.length; k++) found[k] = Integer.parseInt(words[from + k]);
    return found;
  }
}
