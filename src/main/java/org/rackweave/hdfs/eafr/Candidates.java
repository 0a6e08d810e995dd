package org.rackweave.hdfs.eafr;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.Node;
import org.rackweave.eafr.Candidate;
import org.rackweave.eafr.FileHistory;
import org.rackweave.eafr.FileKind;
import org.rackweave.eafr.FileReads;
import org.rackweave.eafr.FileRule;
import org.rackweave.eafr.FileShape;
import org.rackweave.eafr.FileState;
import org.rackweave.eafr.PathRules;
import org.rackweave.eafr.Popularity;
import org.rackweave.hdfs.eafr.FileLookup.FoundFile;
import org.rackweave.hdfs.eafr.FileLookup.Replicas;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.Parts;

/** Puts together what the planner has to know of a file. For one plan, single-threaded. */
final class Candidates {
  /** Files looked up in one hold of the namesystem's lock. */
  static final int LOOKED_UP = 200;

  /**
   * Blocks of one file, which are looked up in one hold of the lock; longer files are left alone.
   */
  static final int BLOCKS_MAX = 1000;

  /** Where a rule has gone, its files can still be given back what they had. */
  private static final FileRule NO_RULE = new FileRule(FileRule.OWN_FACTOR, 1, Short.MAX_VALUE);

  private final FileLookup lookup;
  private final Supplier<PathRules> rules;
  private final EncodedPaths encoded;
  private final MovedFiles moved;

  /**
   * @param moved which files' replicas were moved lately
   */
  Candidates(FileLookup lookup, Supplier<PathRules> rules, EncodedPaths encoded, MovedFiles moved) {
    this.lookup = lookup;
    this.rules = rules;
    this.encoded = encoded;
    this.moved = moved;
  }

  /** A file, its history, and what the planner is told of it. */
  record Subject(FoundFile file, FileHistory history, Candidate candidate) {}

  /**
   * Looks files up.
   *
   * @param numbers node number of each DataNode
   * @param elapsed part of the interval that has passed
   */
  List<Subject> of(
      List<Long> fileIds, Popularity popularity, Map<Node, Integer> numbers, double elapsed) {
    List<Subject> subjects = new ArrayList<>();
    for (FoundFile file : files(fileIds)) {
      subject(file, popularity, numbers, elapsed).ifPresent(subjects::add);
    }
    return subjects;
  }

  /** Those of some files that are there. */
  List<FoundFile> files(List<Long> fileIds) {
    List<FoundFile> files = new ArrayList<>(fileIds.size());
    for (List<Long> some : Parts.of(fileIds, LOOKED_UP)) {
      for (FoundFile file : lookup.files(some)) {
        if (file != null) {
          files.add(file);
        }
      }
    }
    return files;
  }

  private Optional<Subject> subject(
      FoundFile file, Popularity popularity, Map<Node, Integer> numbers, double elapsed) {
    Optional<FileRule> rule = rules.get().of(file.path());
    FileHistory history = moved.history(file.id(), OwnFactor.history(file.mark(), file.factor()));
    if (rule.isEmpty() || file.blocks() == 0) {
      return Optional.empty();
    }
    Replicas replicas = lookup.replicas(file.id(), BLOCKS_MAX);
    if (replicas == null) {
      return Optional.empty();
    }
    List<Integer> holders = new ArrayList<>();
    int unknown = 0;
    long[][] servers = new long[replicas.blockIds().length][];
    for (int block = 0; block < servers.length; block++) {
      List<DatanodeDescriptor> known = new ArrayList<>(replicas.holders().get(block));
      unknown += known.removeIf(datanode -> !numbers.containsKey(datanode)) ? 1 : 0;
      servers[block] = new long[known.size()];
      for (int i = 0; i < known.size(); i++) {
        holders.add(numbers.get(known.get(i)));
        servers[block][i] = ServerKey.of(known.get(i).getDatanodeUuid());
      }
    }
    FileReads reads = popularity.readsOf(file.id(), replicas.blockIds(), servers, elapsed);
    int[] nodes = holders.stream().mapToInt(Integer::intValue).toArray();
    long missing = Math.max(unknown, replicas.missing(file.factor()));
    return Optional.of(
        new Subject(
            file, history, new Candidate(state(file, history, nodes, missing, rule.get()), reads)));
  }

  /** Whether a file has replicas on hot servers that a standby one could have. */
  boolean couldMove(FoundFile file, FileRule rule, PlacedServers placed, long nowMs) {
    if (file.kind() != FileKind.REPLICATED
        || encoded.isEncoded(file.path())
        || moved.isRecent(file.id(), nowMs)) {
      return false;
    }
    Replicas replicas = lookup.replicas(file.id(), BLOCKS_MAX);
    if (replicas == null) {
      return false;
    }
    int[] holders =
        replicas.holders().stream()
            .flatMap(List::stream)
            .mapToInt(placed.cluster()::numberOf)
            .filter(node -> node != ClusterTopology.NONE)
            .toArray();
    FileHistory history = OwnFactor.history(file.mark(), file.factor());
    long missing = replicas.missing(file.factor());
    return state(file, history, holders, missing, rule).hasHotReplicasToSpare(placed.servers());
  }

  private FileState state(
      FoundFile file, FileHistory history, int[] holders, long missing, FileRule rule) {
    FileKind kind = encoded.isEncoded(file.path()) ? FileKind.ERASURE_CODED : file.kind();
    return new FileState(
        file.id(),
        file.factor(),
        holders,
        missing,
        new FileShape(file.lengthBytes(), file.blocks(), file.modifiedMs(), kind),
        history,
        rule);
  }

  /** What is needed to give a file back its own factor, whether or not there is a rule for it. */
  FileState forRestore(FoundFile file, FileHistory history) {
    return state(file, history, new int[0], 0, rules.get().of(file.path()).orElse(NO_RULE));
  }
}
