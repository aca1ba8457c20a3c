import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Messages over a socket. As a server (arguments: serve PORT HOST, "*" for every address) prints its port and sends back
 * what it gets; as a client (arguments: HOST PORT repetitions, then SIZE:PAUSE…) prints each size and pause with seconds
 * of one way, as half of a round trip. Both sides compute for the pause, in microseconds, before they send, so that the
 * other one has gone to sleep; a pause is no part of the time.
 */
public class Messages {
  static final int MOST = 1 << 24, GREETING = 0x41504554;

  public static void main(String[] a) throws Exception {
    if (a[0].equals("serve")) serve(Integer.parseInt(a[1]), a[2]);
    else
      try {
        ask(a);
      } catch (IOException e) {
        System.err.println(e.getMessage() == null ? e.toString() : e.getMessage());
        System.exit(1);
      }
  }

  static void serve(int port, String host) throws IOException {
    InetAddress address = host.equals("*") ? null : InetAddress.getByName(host);
    try (ServerSocket server = new ServerSocket(port, 8, address)) {
      System.out.println(server.getLocalPort());
      System.out.flush();
      while (true) {
        Socket socket = server.accept();
        Thread served = new Thread(() -> answer(socket));
        served.setDaemon(true);
        served.start();
      }
    }
  }

  static void answer(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
      if (in.readInt() != GREETING) return;
      out.writeInt(GREETING);
      out.flush();
      byte[] data = new byte[0];
      for (int size; (size = in.readInt()) >= 0 && size <= MOST; ) {
        int pause = in.readInt();
        if (data.length < size) data = new byte[size];
        in.readFully(data, 0, size);
        compute(pause);
        out.writeInt(size);
        out.writeInt(pause);
        out.write(data, 0, size);
        out.flush();
      }
    } catch (IOException e) {
      // the client has gone
    }
  }

  static void compute(int micros) {
    long end = System.nanoTime() + micros * 1000L;
    while (System.nanoTime() < end) Thread.onSpinWait();
  }

  static void ask(String[] a) throws IOException {
    int repetitions = Integer.parseInt(a[2]);
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getByName(a[0]), Integer.parseInt(a[1])), 5000);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(30000);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
      out.writeInt(GREETING);
      out.flush();
      if (in.readInt() != GREETING) throw new IOException("this is no 'apet benchmark --serve'");
      for (int k = 3; k < a.length; k++) {
        String[] words = a[k].split(":");
        int size = Integer.parseInt(words[0]), pause = Integer.parseInt(words[1]);
        byte[] data = new byte[size];
        StringBuilder line = new StringBuilder(size + " " + pause);
        for (int i = -Math.max(repetitions / 2, k == 3 ? 400 : 0); i < repetitions; i++) {
          compute(pause);
          long start = System.nanoTime();
          out.writeInt(size);
          out.writeInt(pause);
          out.write(data);
          out.flush();
          in.readInt();
          in.readInt();
          in.readFully(data);
          if (i >= 0) line.append(' ').append((System.nanoTime() - start - pause * 1000L) * 0.5e-9);
        }
        System.out.println(line);
      }
      out.writeInt(-1);
      out.flush();
    }
  }
}
