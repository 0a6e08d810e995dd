package org.rackweave.cli.testbed.compare.worker;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.LongAdder;
import org.rackweave.hdfs.DaemonThreads;

/**
 * The other end of background load: sends to or receives from any client, as the first byte of the
 * connection says, until the other side cuts it.
 */
final class BulkServer implements Closeable {

  static final int PORT = 5001;
  static final int SEND_TO_ME = 's';
  static final int RECEIVE = 'r';

  private static final int BACKLOG = 256;
  private static final int PIECE_BYTES = 64 << 10;

  private final ServerSocket socket;
  private final LongAdder receivedBytes;

  /**
   * @param port where it listens, 0 for any
   * @param receivedBytes counts what it receives
   */
  BulkServer(int port, LongAdder receivedBytes) throws IOException {
    this.socket = new ServerSocket(port, BACKLOG);
    this.receivedBytes = receivedBytes;
    DaemonThreads.of("bulk-server", this::accept).start();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket peer = socket.accept();
        DaemonThreads.of("bulk-serve", () -> serve(peer)).start();
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket peer) {
    try (peer) {
      if (peer.getInputStream().read() == SEND_TO_ME) {
        send(peer);
      } else {
        receive(peer, receivedBytes);
      }
    } catch (IOException cut) {
      // The way every one of these connections ends.
      return;
    }
  }

  /** Sends until the connection is cut, which is an exception. */
  static void send(Socket socket) throws IOException {
    OutputStream out = socket.getOutputStream();
    byte[] piece = new byte[PIECE_BYTES];
    while (true) {
      out.write(piece);
    }
  }

  /** Receives and counts until the connection ends or is cut. */
  static void receive(Socket socket, LongAdder counted) throws IOException {
    InputStream in = socket.getInputStream();
    byte[] piece = new byte[PIECE_BYTES];
    for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
      counted.add(n);
    }
  }

  int port() {
    return socket.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
