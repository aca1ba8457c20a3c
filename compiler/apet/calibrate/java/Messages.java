import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Messages over a socket. As a server (argument: serve PORT) prints its port and sends back what it gets; as a client
 * (arguments: HOST PORT repetitions sizes…) prints each size with seconds of one way, as half of a round trip.
 */
public class Messages {
  public static void main(String[] a) throws Exception {
    if (a[0].equals("serve")) serve(Integer.parseInt(a[1]));
    else ask(a);
  }

  static void serve(int port) throws Exception {
    try (ServerSocket server = new ServerSocket(port)) {
      System.out.println(server.getLocalPort());
      System.out.flush();
      try (Socket socket = server.accept()) {
        socket.setTcpNoDelay(true);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        byte[] data = new byte[1 << 22];
        for (int size; (size = in.readInt()) >= 0; ) {
          in.readFully(data, 0, size);
          out.write(data, 0, Math.max(1, size));
          out.flush();
        }
      }
    }
  }

  static void ask(String[] a) throws Exception {
    int repetitions = Integer.parseInt(a[2]);
    byte[] data = new byte[1 << 22];
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getByName(a[0]), Integer.parseInt(a[1])), 5000);
      socket.setTcpNoDelay(true);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(new java.io.BufferedOutputStream(socket.getOutputStream(), 1 << 16));
      for (int k = 3; k < a.length; k++) {
        int size = Integer.parseInt(a[k]);
        StringBuilder line = new StringBuilder().append(size);
        for (int i = -repetitions / 2; i < repetitions; i++) {
          long start = System.nanoTime();
          out.writeInt(size);
          out.write(data, 0, size);
          out.flush();
          in.readFully(data, 0, Math.max(1, size));
          if (i >= 0) line.append(' ').append((System.nanoTime() - start) * 0.5e-9);
        }
        System.out.println(line);
      }
      out.writeInt(-1);
      out.flush();
    }
  }
}
