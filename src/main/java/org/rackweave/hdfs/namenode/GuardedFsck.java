package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.OptionalInt;
import java.util.function.Supplier;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.hdfs.server.namenode.FsckServlet;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;

/**
 * HDFS's {@code fsck}, which does not delete or move files while any are encoded. A block whose one
 * replica is away for a moment is missing to HDFS, and its file would be gone before the block is
 * decoded. Nothing could be known of that when fsck begins: DataNodes may fail in the hours of its
 * walk.
 */
public final class GuardedFsck extends FsckServlet {
  /** The servlet context's attribute that holds the supplier of what {@link #stripes} is. */
  static final String STRIPES = "rackweave.stripes";

  private static final long serialVersionUID = 1L;

  /** Built by the web server through reflection. */
  public GuardedFsck() {}

  @Override
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    boolean isDestructive =
        request.getParameter("delete") != null || request.getParameter("move") != null;
    OptionalInt stripes =
        isDestructive
            ? HookGuard.call(Hook.FSCK, OptionalInt.empty(), this::stripes)
            : OptionalInt.of(0);
    if (stripes.isPresent() && stripes.getAsInt() == 0) {
      super.doGet(request, response);
      return;
    }
    PrintWriter out = response.getWriter();
    out.println(
        "Refused by Rackweave: "
            + (stripes.isPresent()
                ? stripes.getAsInt() + " stripes are encoded"
                : "it is not known yet what is encoded")
            + ". A block of them that is missing is decoded and made again, but -delete and -move"
            + " would take its file first. List files that miss blocks with -list-corruptfileblocks;"
            + " when the metric StripesDecodable is 0, delete those that cannot be read with"
            + " 'hdfs dfs -rm'.");
    out.flush();
  }

  /** Encoded stripes, empty when that is not known. */
  @SuppressWarnings("unchecked") // the plugin puts it there
  private OptionalInt stripes() {
    Object supplier = getServletContext().getAttribute(STRIPES);
    return ((Supplier<OptionalInt>) supplier).get();
  }
}
