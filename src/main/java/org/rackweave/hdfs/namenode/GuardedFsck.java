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
 * HDFS's {@code fsck}, which does not delete or move files while blocks are missing that can be
 * decoded: to HDFS such a file is corrupt, and it would be gone before its blocks are made again.
 */
public final class GuardedFsck extends FsckServlet {
  /** The servlet context's attribute that holds the supplier of what {@link #missing} is. */
  static final String MISSING = "rackweave.missing-but-decodable";

  private static final long serialVersionUID = 1L;

  /** Built by the web server through reflection. */
  public GuardedFsck() {}

  @Override
  public void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    boolean isDestructive =
        request.getParameter("delete") != null || request.getParameter("move") != null;
    OptionalInt missing =
        isDestructive
            ? HookGuard.call(Hook.FSCK, OptionalInt.empty(), this::missing)
            : OptionalInt.of(0);
    if (missing.isPresent() && missing.getAsInt() == 0) {
      super.doGet(request, response);
      return;
    }
    PrintWriter out = response.getWriter();
    out.println(
        missing.isPresent()
            ? "Refused by Rackweave: "
                + missing.getAsInt()
                + " missing blocks can be decoded and are being repaired; -delete and -move would lose"
                + " their files. Look at the metrics StripesDecodable and StripesLost, and try again."
            : "Refused by Rackweave: it is not known yet which missing blocks can be decoded.");
    out.flush();
  }

  /** Missing blocks that can be decoded, empty when that is not known. */
  @SuppressWarnings("unchecked") // the plugin puts it there
  private OptionalInt missing() {
    Object supplier = getServletContext().getAttribute(MISSING);
    return ((Supplier<OptionalInt>) supplier).get();
  }
}
