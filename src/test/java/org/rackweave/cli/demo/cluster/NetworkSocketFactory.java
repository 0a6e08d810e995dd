package org.rackweave.cli.demo.cluster;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.apache.hadoop.conf.Configuration;

/**
 * Sends and receives from one local address over a {@link ModelledNetwork}. Who opens a connection
 * pays for both ways: what it reads it reads no sooner than it has passed, and a small window keeps
 * the other end from sending ahead.
 */
public final class NetworkSocketFactory extends BoundSocketFactory {
  private static final int WINDOW_BYTES = 64 << 10;

  private ModelledNetwork network;

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    network = ModelledNetwork.namedIn(conf.get(ModelledNetwork.key()));
  }

  @Override
  public Socket createSocket() throws IOException {
    Socket socket = bound(new NetworkSocket());
    socket.setReceiveBufferSize(WINDOW_BYTES);
    return socket;
  }

  private final class NetworkSocket extends Socket {
    private String peer() {
      return ((InetSocketAddress) getRemoteSocketAddress()).getAddress().getHostAddress();
    }

    private String own() {
      return getLocalAddress().getHostAddress();
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return new Received(super.getInputStream(), peer(), own());
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new Sent(super.getOutputStream(), own(), peer());
    }
  }

  private final class Received extends FilterInputStream {
    private final String from;
    private final String to;

    Received(InputStream in, String from, String to) {
      super(in);
      this.from = from;
      this.to = to;
    }

    @Override
    public int read() throws IOException {
      int read = in.read();
      if (read >= 0) {
        network.pass(from, to, 1);
      }
      return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = in.read(bytes, offset, Math.min(length, ModelledNetwork.TURN_BYTES));
      if (read > 0) {
        network.pass(from, to, read);
      }
      return read;
    }
  }

  private final class Sent extends FilterOutputStream {
    private final String from;
    private final String to;

    Sent(OutputStream out, String from, String to) {
      super(out);
      this.from = from;
      this.to = to;
    }

    @Override
    public void write(int value) throws IOException {
      network.pass(from, to, 1);
      out.write(value);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      int turn;
      for (int done = 0; done < length; done += turn) {
        turn = Math.min(ModelledNetwork.TURN_BYTES, length - done);
        network.pass(from, to, turn);
        out.write(bytes, offset + done, turn);
      }
    }
  }

  /** Hadoop shares connections between equal factories. */
  @Override
  public boolean equals(Object other) {
    return other instanceof NetworkSocketFactory that
        && network == that.network
        && super.equals(other);
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }
}
