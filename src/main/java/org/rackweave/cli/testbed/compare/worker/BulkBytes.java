package org.rackweave.cli.testbed.compare.worker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.atomic.LongAdder;

/** Bytes nobody looks at. */
final class BulkBytes {

  private static final int PIECE_BYTES = 64 << 10;

  private BulkBytes() {}

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
}
