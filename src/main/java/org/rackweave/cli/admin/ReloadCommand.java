package org.rackweave.cli.admin;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.util.Tool;
import org.rackweave.cli.ear.NameNodeAdmin;

/** {@code bin/rackweave reload}: each NameNode of a namespace reads its own files again. */
public final class ReloadCommand extends Configured implements Tool {
  private static final int EXIT_FAILURE = 1;
  private static final int EXIT_USAGE = 2;

  private static final String USAGE =
      """
      Usage: bin/rackweave reload [options]

      Has every NameNode of the namespace read the files of its configuration again and put Rackweave's
      settings in force: all of them or, where one makes no sense, none. Tells what has changed, and
      what takes a restart.

      Options:
        -fs URI      the HDFS, otherwise the one HADOOP_CONF_DIR names
        --help       print this text
      """;

  private final PrintStream out;
  private final PrintStream err;

  public ReloadCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public int run(String[] args) {
    if (args.length == 1 && (args[0].equals("--help") || args[0].equals("-h"))) {
      out.print(USAGE);
      return 0;
    }
    if (args.length > 0) {
      err.printf("rackweave reload: unknown option '%s'%n%n%s", args[0], USAGE);
      return EXIT_USAGE;
    }
    try {
      int exit = 0;
      for (InetSocketAddress address : NameNodeAdmin.addresses(getConf())) {
        exit = Math.max(exit, reload(address));
      }
      return exit;
    } catch (IOException e) {
      err.printf("rackweave reload: %s%n", e.getMessage());
      return EXIT_FAILURE;
    }
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
