import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A worker: prints its port, then runs what coordinators ask. A connection belongs to one batch; tasks of all of them
 * run one at a time. Its parent's end of standard input ends it.
 *
 * <p>A request is the length of the reply to each task and of the one at the end (-1: none), tasks, rows of values,
 * and a message: the values of the rows, filled up to its size. A reply is seconds of CPU, a result, and a message.
 */
public final class ApetWorker {
  static final int FAILED = -2;
  private static final Object PROCESSOR = new Object();
  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  public static void main(String[] a) throws Exception {
    ServerSocket server = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    System.out.println(server.getLocalPort());
    System.out.flush();
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    System.setOut(nowhere); // what tasks print is no part of the application's time
    System.setErr(nowhere);
    Thread guard = new Thread(ApetWorker::untilParentEnds);
    guard.setDaemon(true);
    guard.start();
    while (true) {
      Socket socket = server.accept();
      socket.setTcpNoDelay(true);
      Thread served = new Thread(() -> serve(socket));
      served.setDaemon(true);
      served.start();
    }
  }

  private static void untilParentEnds() {
    try {
      while (System.in.read() >= 0) continue;
    } catch (java.io.IOException e) {
      // there is no parent any more
    }
    System.exit(0);
  }

  private static void serve(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
      try {
        ApetTask task = opened(in, out);
        while (true) request(in, out, task);
      } catch (EOFException e) {
        return;
      } catch (Throwable e) {
        out.writeInt(FAILED);
        out.writeUTF(shortened(e));
        out.flush();
      }
    } catch (java.io.IOException e) {
      // the coordinator has gone
    }
  }

  static String shortened(Throwable e) {
    StackTraceElement[] where = e.getStackTrace();
    String text = e + (where.length > 0 ? " (" + where[0].getFileName() + ":" + where[0].getLineNumber() + ")" : "");
    return text.length() > 600 ? text.substring(0, 600) : text;
  }

  private static ApetTask opened(DataInputStream in, DataOutputStream out) throws Throwable {
    String type = in.readUTF(), method = in.readUTF();
    List<String> names = new ArrayList<>();
    for (int n = in.readInt(); n > 0; n--) names.add(in.readUTF());
    ApetTask task = new ApetTask(type, method, names);
    double[] first = new double[names.size()];
    for (int i = 0; i < first.length; i++) first[i] = in.readDouble();
    task.prepare(first);
    out.writeInt(0);
    out.flush();
    return task;
  }

  private static void request(DataInputStream in, DataOutputStream out, ApetTask task) throws Throwable {
    int each = in.readInt(), end = in.readInt(), tasks = in.readInt(), rows = in.readInt(), columns = in.readInt();
    byte[] data = new byte[in.readInt()];
    in.readFully(data);
    double[][] values = new double[rows][columns];
    ByteBuffer numbers = ByteBuffer.wrap(data);
    for (double[] row : values) for (int i = 0; i < columns; i++) row[i] = numbers.getDouble();
    double used = 0, sum = 0;
    for (int k = 0; k < tasks; k++) {
      double result, seconds;
      synchronized (PROCESSOR) {
        long before = THREADS.getCurrentThreadCpuTime();
        result = task.run(values[rows == 1 ? 0 : k]);
        seconds = (THREADS.getCurrentThreadCpuTime() - before) * 1e-9;
      }
      if (each >= 0) reply(out, each, seconds, result);
      else {
        used += seconds;
        sum += result;
      }
    }
    if (end >= 0) reply(out, end, used, sum);
  }

  private static void reply(DataOutputStream out, int size, double seconds, double result) throws java.io.IOException {
    out.writeInt(size);
    out.writeDouble(seconds);
    out.writeDouble(result);
    out.write(new byte[size]);
    out.flush();
  }
}
