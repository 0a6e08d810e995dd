package org.rackweave.hdfs.namenode;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.OptionalInt;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.hdfs.server.namenode.FsckServlet;
import org.rackweave.hdfs.ear.EncodingService;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;

/**
 * HDFS's {@code fsck}, which does not delete or move files while any are encoded. A block whose one
 * replica is away for a moment is missing to HDFS, and its file would be gone before the block is
 * decoded. Nothing could be known of that when fsck begins: DataNodes may fail in the hours of its
 * walk. In these hours no file gives up replicas.
 */
public final class GuardedFsck extends FsckServlet {
  /** The servlet context's attribute that holds the {@link EncodingService}. */
  static final String ENCODING = "rackweave.encoding";

  private static final long serialVersionUID = 1L;

  /** Built by the web server through reflection. */
  public GuardedFsck() {}

  @Override
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    if (request.getParameter("delete") == null && request.getParameter("move") == null) {
      super.doGet(request, response);
      return;
    }
    EncodingService encoding = (EncodingService) getServletContext().getAttribute(ENCODING);
    OptionalInt stripes;
    // First, and then counted: a file that gave up replicas before has its stripe counted.
    try (Closeable halted = encoding.haltShrinking()) {
      stripes = HookGuard.call(Hook.FSCK, OptionalInt.empty(), encoding::stripesKnown);
      if (stripes.isPresent() && stripes.getAsInt() == 0) {
        super.doGet(request, response);
        return;
      }
    }
    PrintWriter out = response.getWriter();
    out.println(
        "Refused by Rackweave: "
            + (stripes.isPresent()
                ? stripes.getAsInt() + " stripes are encoded"
                : notKnown(encoding))
            + ". A block of them that is missing is decoded and made again, but -delete and -move"
            + " would take its file first. List files that miss blocks with"
            + " -list-corruptfileblocks; when the metric StripesDecodable is 0, delete those that"
            + " cannot be read with 'hdfs dfs -rm'.");
    out.flush();
  }

  private static String notKnown(EncodingService encoding) {
    String unreadable = HookGuard.call(Hook.FSCK, "", encoding::unreadableStripes);
    return "encoded files are not known yet"
        + (unreadable == null || unreadable.isEmpty() ? "" : ", as " + unreadable);
  }
}
