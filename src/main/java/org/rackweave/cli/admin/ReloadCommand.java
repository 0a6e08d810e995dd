package org.rackweave.cli.admin;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import org.apache.hadoop.net.NetUtils;
import org.rackweave.cli.HdfsCommand;
import org.rackweave.cli.ear.NameNodeAdmin;
import picocli.CommandLine.Command;

/** {@code bin/rackweave reload}: each NameNode of a namespace reads its own files again. */
@Command(
    name = "bin/rackweave reload",
    description =
        "Has every NameNode of the namespace read the files of its configuration again and put"
            + " Rackweave's settings in force: all of them or, where one makes no sense, none."
            + " Tells what has changed, and what takes a restart.")
public final class ReloadCommand extends HdfsCommand implements Callable<Integer> {

  public ReloadCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  public Integer call() throws IOException {
    int exit = 0;
    for (InetSocketAddress address : NameNodeAdmin.addresses(getConf())) {
      exit = Math.max(exit, reload(address));
    }
    return exit;
  }

  private int reload(InetSocketAddress address) {
    String nameNode = NetUtils.getHostPortString(address);
    try (NameNodeAdmin admin =
        NameNodeAdmin.connect(getConf(), address, NameNodeAdmin.Service.SWITCH)) {
      out.printf("NameNode %s%n%s%n", nameNode, admin.text("reload").indent(2).stripTrailing());
      return 0;
    } catch (IOException e) {
      err.printf("rackweave reload: NameNode %s: %s%n", nameNode, e.getMessage());
      return EXIT_FAILURE;
    }
  }
}
