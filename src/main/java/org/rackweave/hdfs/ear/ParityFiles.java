package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.util.Time;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.InodePath;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;

/**
 * The files that hold parity: one a stripe, with the stripe's record as an extended attribute, in a
 * directory that only the superuser reads. All of it is ordinary namespace, so that edit log,
 * checkpoints and failover take care of it.
 *
 * <p>A file is made aside, block by block, and appears at its place, whole and with its record, by
 * a rename. What is found aside when a NameNode becomes active was never finished and is deleted.
 * Edit-log operations a stripe: five a parity block, and three (attribute, concat, rename).
 */
final class ParityFiles {
  static final String RECORD = "trusted.rackweave.stripe";

  private static final String CLIENT = "rackweave-encoding";
  private static final String ASIDE = "unfinished";
  private static final FsPermission SUPERUSER_ONLY = new FsPermission((short) 0700);
  private static final int CHECKSUM_BYTES = 512;
  private static final int IDS_PER_DIRECTORY_BITS = 12;
  private static final long COMPLETION_MS = 60_000;
  private static final long ASK_AGAIN_MS = 50;

  private final NamenodeProtocols nameNode;
  private final String directory;
  private final long leastBlockBytes;
  private volatile Term term = new Term("none", true);

  /** Directories of parity that could not be deleted when it was done with. */
  private final Queue<String> leftovers = new ConcurrentLinkedQueue<>();

  /**
   * The time from this NameNode's beginning to encode to its ceasing to be active. Parity is made
   * in a directory of the term: a thread that was held up while another NameNode was active, and is
   * now again in an active one, finds nothing of its own and meets nothing of others.
   */
  static final class Term {
    private final String name;
    private volatile boolean isOver;

    private Term(String name, boolean isOver) {
      this.name = name;
      this.isOver = isOver;
    }

    private void check() throws IOException {
      if (isOver) {
        throw new IOException("this NameNode has ceased to be active meanwhile");
      }
    }
  }

  /**
   * @param directory of all parity
   * @param leastBlockBytes HDFS's smallest block size
   */
  ParityFiles(NamenodeProtocols nameNode, String directory, long leastBlockBytes) {
    this.nameNode = nameNode;
    this.directory = directory;
    this.leastBlockBytes = leastBlockBytes;
  }

  /** The parity of one stripe that is being made. */
  final class Unfinished {
    private final Term term;
    private final String directory;
    private final long blockBytes;
    private final String storagePolicy;
    private final List<HdfsFileStatus> files = new ArrayList<>();
    private final List<LocatedBlock> blocks = new ArrayList<>();

    private Unfinished(Term term, long firstMember, long blockBytes, String storagePolicy) {
      this.term = term;
      directory = aside() + '/' + term.name + '/' + firstMember;
      this.blockBytes = blockBytes;
      this.storagePolicy = storagePolicy;
    }

    /** Its blocks, in order, each with the one place where it belongs. */
    List<LocatedBlock> blocks() {
      return blocks;
    }

    private String path(int block) {
      return directory + '/' + block;
    }

    private void allot(int block, DatanodeInfo target) throws IOException {
      long preferred = Math.max(leastBlockBytes, roundUp(blockBytes));
      HdfsFileStatus file =
          nameNode.create(
              path(block),
              SUPERUSER_ONLY,
              CLIENT,
              new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE, CreateFlag.SHOULD_REPLICATE)),
              true,
              (short) 1,
              preferred,
              CryptoProtocolVersion.supported(),
              null,
              storagePolicy);
      files.add(file);
      LocatedBlock allotted =
          nameNode.addBlock(
              path(block),
              CLIENT,
              null,
              null,
              file.getFileId(),
              new String[] {target.getXferAddr()},
              EnumSet.noneOf(AddBlockFlag.class));
      if (allotted.getLocations().length != 1
          || !allotted.getLocations()[0].getDatanodeUuid().equals(target.getDatanodeUuid())) {
        throw new IOException(
            "HDFS does not put parity on "
                + target
                + ", where it was to go, but on "
                + List.of(allotted.getLocations()));
      }
      allotted.getBlock().setNumBytes(blockBytes);
      blocks.add(allotted);
    }

    /**
     * Makes it last: after this the stripe is encoded.
     *
     * @return inode of the parity file
     * @throws IOException when a block has not been reported in time, or the namespace refuses
     */
    long commit(StripeRecord record) throws IOException, InterruptedException {
      List<String> others = new ArrayList<>();
      for (int block = 0; block < blocks.size(); block++) {
        complete(block);
        if (block > 0) {
          others.add(path(block));
        }
      }
      term.check();
      XAttr attribute = XAttrHelper.buildXAttr(RECORD, record.toBytes());
      nameNode.setXAttr(path(0), attribute, EnumSet.of(XAttrSetFlag.CREATE));
      if (!others.isEmpty()) {
        nameNode.concat(path(0), others.toArray(String[]::new));
      }
      String place = placeOf(record.code(), blocks.get(0).getBlock().getBlockId());
      nameNode.mkdirs(parent(place), SUPERUSER_ONLY, true);
      nameNode.rename2(path(0), place, Options.Rename.NONE);
      abandon(); // of which nothing is left but the directory
      return files.get(0).getFileId();
    }

    private void complete(int block) throws IOException, InterruptedException {
      ExtendedBlock last = blocks.get(block).getBlock();
      long deadline = Time.monotonicNow() + COMPLETION_MS;
      while (!nameNode.complete(path(block), CLIENT, last, files.get(block).getFileId())) {
        if (Time.monotonicNow() > deadline) {
          throw new IOException(
              "the DataNode has not reported parity block "
                  + last
                  + " for "
                  + COMPLETION_MS
                  + " ms");
        }
        Thread.sleep(ASK_AGAIN_MS);
        term.check();
      }
    }

    /** Deletes it, later if not now. What is left at the end of a term goes with the next. */
    void abandon() {
      if (!term.isOver) {
        deleteLeftover(directory);
      }
    }
  }

  private static long roundUp(long bytes) {
    return (bytes + CHECKSUM_BYTES - 1) / CHECKSUM_BYTES * CHECKSUM_BYTES;
  }

  private static String parent(String path) {
    return path.substring(0, path.lastIndexOf('/'));
  }

  private String aside() {
    return directory + '/' + ASIDE;
  }

  private String placeOf(ErasureCode code, long firstBlockId) {
    long group = firstBlockId >> IDS_PER_DIRECTORY_BITS;
    return directory + '/' + code.name() + '/' + group + '/' + firstBlockId;
  }

  /**
   * Begins the parity of a stripe.
   *
   * @param term in which it was found that its blocks are in no other stripe
   * @param firstMember id of its first data block, which is in no other stripe
   * @param blockBytes of each parity block
   * @param storagePolicy of the parity, {@code null} for that of its directory
   * @param targets where the blocks belong
   * @throws IOException when HDFS does not put one there; nothing is left then
   */
  Unfinished begin(
      Term term,
      long firstMember,
      long blockBytes,
      String storagePolicy,
      List<? extends DatanodeInfo> targets)
      throws IOException {
    term.check();
    Unfinished parity = new Unfinished(term, firstMember, blockBytes, storagePolicy);
    nameNode.delete(parity.directory, true);
    nameNode.mkdirs(directory, SUPERUSER_ONLY, true);
    nameNode.mkdirs(parity.directory, SUPERUSER_ONLY, true);
    try {
      for (int block = 0; block < targets.size(); block++) {
        parity.allot(block, targets.get(block));
      }
    } catch (IOException e) {
      parity.abandon();
      throw e;
    }
    return parity;
  }

  /** Keeps what is unfinished from being closed as if its writer had died. */
  void renewLease() throws IOException {
    nameNode.renewLease(CLIENT, null);
  }

  /** Begins a term: deletes whatever another NameNode, or this one before, did not finish. */
  void beginTerm() throws IOException {
    endTerm();
    nameNode.delete(aside(), true);
    leftovers.clear();
    term = new Term(Long.toHexString(ThreadLocalRandom.current().nextLong()), false);
  }

  /** No parity is begun or committed from now on that was planned before. */
  void endTerm() {
    term.isOver = true;
  }

  /** The term that is, or was last. */
  Term term() {
    return term;
  }

  /** Tries again to delete what could not be, as in safe mode. */
  void deleteLeftovers() {
    for (int left = leftovers.size(); left > 0; left--) {
      deleteLeftover(leftovers.remove());
    }
  }

  private void deleteLeftover(String unfinished) {
    try {
      nameNode.delete(unfinished, true);
    } catch (IOException e) {
      leftovers.add(unfinished);
    }
  }

  /**
   * Reads the records of all stripes there are.
   *
   * @param code whose stripes
   * @param each given the parity's inode and the attribute, {@code null} where it is missing
   */
  void forEach(ErasureCode code, BiConsumer<Long, byte[]> each) throws IOException {
    NamespaceScan walk =
        new NamespaceScan(
            (listed, startAfter) -> nameNode.getListing(listed, startAfter, false),
            List.of(directory + '/' + code.name()),
            subdirectory -> true);
    Map<String, Long> page = new LinkedHashMap<>();
    while (walk.step((path, file) -> page.put(path, file.getFileId()))) {
      for (Map.Entry<String, Long> file : page.entrySet()) {
        each.accept(file.getValue(), record(file.getKey()));
      }
      page.clear();
    }
  }

  /** The codes of which there are or were stripes. */
  List<ErasureCode> codes() throws IOException {
    List<ErasureCode> codes = new ArrayList<>();
    byte[] startAfter = HdfsFileStatus.EMPTY_NAME;
    DirectoryListing page;
    do {
      page = nameNode.getListing(directory, startAfter, false);
      if (page == null) {
        return codes;
      }
      for (HdfsFileStatus child : page.getPartialListing()) {
        code(child.getLocalName()).ifPresent(codes::add);
      }
      startAfter = page.getLastName();
    } while (page.hasMore());
    return codes;
  }

  private static Optional<ErasureCode> code(String name) {
    try {
      return Optional.of(ErasureCode.named(name));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // what is unfinished, or somebody else's
    }
  }

  /** Puts another record in the place of a stripe's. */
  void replaceRecord(long parityFile, StripeRecord record) throws IOException {
    XAttr attribute = XAttrHelper.buildXAttr(RECORD, record.toBytes());
    nameNode.setXAttr(InodePath.of(parityFile), attribute, EnumSet.of(XAttrSetFlag.REPLACE));
  }

  /** Deletes the parity of a stripe that nobody needs any more. */
  void delete(StoredFile parityFile) throws IOException {
    if (!isParity(parityFile.path())) {
      throw new IOException(parityFile.path() + " is not in " + directory);
    }
    nameNode.delete(parityFile.path(), false);
  }

  /** Whether a path is that of parity, finished or not. */
  boolean isParity(String path) {
    return path.startsWith(directory + '/');
  }

  /** The record of the stripe whose parity a file holds, empty when it has none that is sound. */
  Optional<StripeRecord> recordAt(String path) throws IOException {
    byte[] record = record(path);
    try {
      return record == null ? Optional.empty() : Optional.of(StripeRecord.of(record));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // counted when the stripes were loaded
    }
  }

  private byte[] record(String path) throws IOException {
    for (XAttr attribute : nameNode.getXAttrs(path, List.of())) {
      if (RECORD.equals(XAttrHelper.getPrefixedName(attribute))) {
        return attribute.getValue();
      }
    }
    return null;
  }
}
