package org.rackweave.sim.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * What each event of an audit log does to the files of the log. Files get the same numbers each
 * time a log is gone through.
 */
final class AuditSteps {

  /** As HDFS limits them; longer ones can only be made up. */
  private static final int PATH_CHARACTERS_MAX = 8_000;

  private static final int PATH_DEPTH_MAX = 1_000;

  /** Different commands counted each on its own; the rest goes together. */
  private static final int COMMANDS_MAX = 200;

  private static final double NANOS_PER_MS = 1e6;

  private final AuditReplay.Settings settings;
  private final AuditFiles files;
  private final boolean numbering;
  private final LongFunction<StoredFile> looks;
  private final PathTree tree = new PathTree();

  private long nextFile;
  private long firstMs;
  private boolean begun;
  private long refused;
  private long inside;
  private long outside;
  private final Map<String, Long> unused = new TreeMap<>();

  private AuditSteps(
      AuditReplay.Settings settings,
      AuditFiles files,
      boolean numbering,
      LongFunction<StoredFile> looks) {
    this.settings = settings;
    this.files = files;
    this.numbering = numbering;
    this.looks = looks;
  }

  /** Numbers the files; what they look like is not known yet. */
  static AuditSteps checking(AuditReplay.Settings settings, AuditFiles files) {
    return new AuditSteps(settings, files, true, file -> new StoredFile(file, 0, 1, 1));
  }

  /** Goes through a log whose files have their numbers. */
  static AuditSteps replaying(AuditReplay.Settings settings, AuditFiles files, long seed) {
    return new AuditSteps(
        settings, files, false, file -> files.stored(file, settings.shape(), seed));
  }

  PathTree tree() {
    return tree;
  }

  AuditReplay.Report report(long lines, AuditFiles sized) {
    return new AuditReplay.Report(
        lines, refused, unused, inside, outside, sized.listed(), sized.count() - sized.listed());
  }

  /** What the next line asks for, which may be nothing; null after the last line. */
  List<TimedRequest> next(AuditLog log) throws InputException {
    AuditLog.Held held = log.next();
    if (held == null) {
      return null;
    }
    AuditEvent event = held.event();
    if (!begun) {
      begun = true;
      firstMs = event.atMs();
    }
    if (!event.allowed()) {
      refused++;
      return List.of();
    }
    List<TimedRequest> requests = new ArrayList<>(2);
    if (!apply(held, atNanos(event), requests)) {
      String command = unused.size() < COMMANDS_MAX ? event.command() : "others";
      unused.merge(command, 1L, Long::sum);
    }
    checkSize(held);
    return requests;
  }

  private long atNanos(AuditEvent event) {
    return Math.round((event.atMs() - firstMs) / settings.speed() * NANOS_PER_MS);
  }

  private void checkSize(AuditLog.Held held) throws InputException {
    long paths = (long) tree.size() + (numbering ? files.pathCount() : 0);
    if (paths > settings.filesMax() || nextFile > settings.filesMax()) {
      throw held.bad(
          "more than "
              + settings.filesMax()
              + " paths or files up to here; take a shorter piece of the log or raise the limit");
    }
  }

  /** Whether the event does anything. */
  private boolean apply(AuditLog.Held held, long at, List<TimedRequest> requests)
      throws InputException {
    AuditEvent event = held.event();
    return switch (event.command()) {
      case "create" -> create(held, at, requests);
      case "open" -> open(held, at, requests);
      case "delete" -> delete(checked(held, event.source()), at, requests);
      case "setReplication" -> setReplication(checked(held, event.source()), at, requests);
      default -> event.command().startsWith("rename") && rename(held, at, requests);
    };
  }

  private boolean create(AuditLog.Held held, long at, List<TimedRequest> requests)
      throws InputException {
    String path = checked(held, held.event().source());
    long replaced = tree.find(path);
    if (replaced >= 0) {
      requests.add(new TimedRequest.Delete(at, replaced));
    }
    long file = nextFile++;
    if (numbering) {
      files.created();
    }
    tree.put(path, file);
    StoredFile look = looks.apply(file);
    requests.add(
        new TimedRequest.Write(
            at, client(held), file, look.sizeBytes(), look.blockBytes(), look.replication()));
    return true;
  }

  private boolean open(AuditLog.Held held, long at, List<TimedRequest> requests)
      throws InputException {
    String path = checked(held, held.event().source());
    long file = tree.find(path);
    if (file < 0) {
      file = nextFile++;
      if (numbering) {
        files.foundOlder(path);
      }
      tree.put(path, file);
    }
    requests.add(new TimedRequest.Read(at, client(held), file));
    return true;
  }

  private boolean delete(String path, long at, List<TimedRequest> requests) {
    List<Long> deleted = new ArrayList<>();
    tree.remove(path, deleted::add);
    deleted.stream().sorted().forEach(file -> requests.add(new TimedRequest.Delete(at, file)));
    return !deleted.isEmpty();
  }

  private boolean setReplication(String path, long at, List<TimedRequest> requests) {
    long file = tree.find(path);
    if (file < 0) {
      return false;
    }
    if (numbering) {
      files.changed(file);
      return settings.listing().isPresent();
    }
    if (!files.isListed(file)) {
      return false;
    }
    requests.add(new TimedRequest.SetReplication(at, file, files.listedReplication(file)));
    return true;
  }

  /**
   * The older rename moves into a directory that exists; the newer one names its options, never
   * does so, and replaces a file when told to.
   */
  private boolean rename(AuditLog.Held held, long at, List<TimedRequest> requests)
      throws InputException {
    AuditEvent event = held.event();
    String from = checked(held, event.source());
    String to = checked(held, event.destination());
    boolean older = event.command().equals("rename");
    if (older && tree.isDirectory(to)) {
      to = to + from.substring(from.lastIndexOf('/'));
    }
    long replaced = tree.find(to);
    if (replaced >= 0 && !from.equals(to) && tree.contains(from)) {
      delete(to, at, requests);
    }
    long moved = tree.move(from, to);
    if (moved > 0) {
      requests.add(new TimedRequest.Rename(at, moved));
    }
    return moved > 0;
  }

  private int client(AuditLog.Held held) {
    int node = settings.clients().nodeOf(held.event().client(), held.serial());
    if (node == TimedRequest.OUTSIDE) {
      outside++;
    } else {
      inside++;
    }
    return node;
  }

  private static String checked(AuditLog.Held held, String path) throws InputException {
    if (!path.startsWith("/")) {
      throw held.bad(
          held.event().command()
              + " of "
              + InputException.quote(path)
              + "; expected a path from the root");
    }
    if (path.length() > PATH_CHARACTERS_MAX) {
      throw held.bad("a path of more than " + PATH_CHARACTERS_MAX + " characters");
    }
    if (path.chars().filter(c -> c == '/').count() > PATH_DEPTH_MAX) {
      throw held.bad("a path of more than " + PATH_DEPTH_MAX + " parts");
    }
    return path;
  }
}
