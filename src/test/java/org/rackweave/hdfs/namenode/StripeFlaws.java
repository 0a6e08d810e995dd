package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.rackweave.ear.OpenStripeStatus;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ear.StripeRegistry;

/**
 * What is wrong with stripes and their files, by what the namespace says; the memory of the encoder
 * is only asked whether it says the same.
 */
final class StripeFlaws {
  private static final String PARITY = "/.rackweave/parity";
  private static final String RECORD = "trusted.rackweave.stripe";
  private static final int RACK_LIMIT = 1;

  private final NameNode nameNode;
  private final NamenodeProtocols calls;
  private final StripeRegistry registry;
  private final Collection<Path> files;
  private final List<String> flaws = new ArrayList<>();

  /** Parity's path by each block that is in a stripe. */
  private final Map<Long, String> stripeOf = new HashMap<>();

  private final Set<Long> blocksOfFiles = new HashSet<>();

  /** Where the one replica of a block is. */
  private final Map<Long, DatanodeInfo> placeOf = new HashMap<>();

  StripeFlaws(NameNode nameNode, Collection<Path> files) {
    this.nameNode = nameNode;
    this.files = files;
    calls = nameNode.getRpcServer();
    PlacementContext context = RackCluster.contextOf(nameNode);
    registry = context == null ? null : context.stripes();
  }

  /** All of them, none when everything that can be encoded is, and as safe as it should be. */
  List<String> find() {
    if (!nameNode.isActiveState() || nameNode.isInSafeMode() || registry == null) {
      return List.of("the NameNode is not ready");
    }
    try {
      Map<String, HdfsFileStatus> parity = new LinkedHashMap<>();
      list(PARITY, parity);
      parity.forEach(this::lookAtParity);
      if (registry.encoded().stripeCount() != parity.size()) {
        flaws.add(registry.encoded().stripeCount() + " stripes known of " + parity.size());
      }
      if (registry.encoded().unreadableCount() > 0) {
        flaws.add(registry.encoded().unreadableCount() + " records unreadable");
      }
      int left = 0;
      for (Path file : files) {
        left += lookAtFile(file.toUri().getPath());
      }
      lookAtMembers();
      lookAtOpenStripes(left);
      for (String path : parity.keySet()) {
        lookAtPlaces(path);
      }
    } catch (IOException e) {
      flaws.add(e.toString()); // it may be on its way
    }
    return flaws;
  }

  /** Records by the paths of parity files. */
  Map<Path, StripeRecord> records() throws IOException {
    Map<String, HdfsFileStatus> parity = new LinkedHashMap<>();
    list(PARITY, parity);
    Map<Path, StripeRecord> records = new LinkedHashMap<>();
    for (String path : parity.keySet()) {
      records.put(new Path(path), record(path));
    }
    return records;
  }

  private void list(String directory, Map<String, HdfsFileStatus> into) throws IOException {
    byte[] after = HdfsFileStatus.EMPTY_NAME;
    DirectoryListing page;
    do {
      page = calls.getListing(directory, after, false);
      if (page == null) {
        return;
      }
      for (HdfsFileStatus child : page.getPartialListing()) {
        String path = directory + '/' + child.getLocalName();
        if (child.isDirectory()) {
          list(path, into);
        } else {
          into.put(path, child);
        }
      }
      after = page.getLastName();
    } while (page.hasMore());
  }

  private StripeRecord record(String path) throws IOException {
    for (XAttr attribute : calls.getXAttrs(path, List.of())) {
      if (RECORD.equals(XAttrHelper.getPrefixedName(attribute))) {
        return StripeRecord.of(attribute.getValue());
      }
    }
    return null;
  }

  private void lookAtParity(String path, HdfsFileStatus file) {
    try {
      StripeRecord record = record(path);
      if (record == null || path.contains("/unfinished/")) {
        flaws.add(path + " is of no stripe");
        return;
      }
      List<LocatedBlock> blocks = blocks(path);
      if (blocks.size() != record.code().parityBlocks() || !calls.isFileClosed(path)) {
        flaws.add(path + " has blocks " + blocks);
      }
      blocks.forEach(block -> place(path, block, 1));
      for (StripeRecord.Member member : record.members()) {
        if (!member.hasLeft()) {
          String other = stripeOf.put(member.blockId(), path);
          if (other != null) {
            flaws.add("block " + member.blockId() + " is in " + other + " and in " + path);
          }
          if (registry.encoded().of(member.blockId()).stream()
              .noneMatch(known -> known.parityFile() == file.getFileId())) {
            flaws.add("block " + member.blockId() + " of " + path + " is not known to be");
          }
        }
      }
    } catch (IOException e) {
      flaws.add(e.toString()); // it has gone meanwhile
    }
  }

  private List<LocatedBlock> blocks(String path) throws IOException {
    return calls.getBlockLocations(path, 0, Long.MAX_VALUE).getLocatedBlocks();
  }

  private void place(String path, LocatedBlock block, int wanted) {
    int replicas = block.isCorrupt() ? 0 : block.getLocations().length;
    if (replicas < wanted || (wanted == 1 && replicas > 1)) {
      flaws.add(path + " wants " + wanted + " replicas of " + block);
    }
    if (replicas == 1) {
      placeOf.put(block.getBlock().getBlockId(), block.getLocations()[0]);
    }
  }

  /** Blocks that are in no stripe. */
  private int lookAtFile(String path) throws IOException {
    int factor = calls.getFileInfo(path).getReplication();
    int left = 0;
    List<LocatedBlock> blocks = blocks(path);
    for (LocatedBlock block : blocks) {
      blocksOfFiles.add(block.getBlock().getBlockId());
      left += stripeOf.containsKey(block.getBlock().getBlockId()) ? 0 : 1;
      place(path, block, factor);
    }
    if (left == 0 && factor > 1 && !blocks.isEmpty()) {
      flaws.add(path + " is encoded and has factor " + factor);
    }
    if (left > 0 && factor == 1) {
      flaws.add(path + " has one replica and " + left + " blocks in no stripe");
    }
    return left;
  }

  /**
   * A block that was deleted leaves its stripe, if nobody told then when the stripe is next seen.
   */
  private void lookAtMembers() {
    stripeOf.forEach(
        (blockId, parity) -> {
          if (!blocksOfFiles.contains(blockId)) {
            flaws.add("block " + blockId + " of " + parity + " is of no file");
          }
        });
  }

  /** What waits is not worth parity: one block alone, or few of very different lengths. */
  private void lookAtOpenStripes(int left) {
    List<OpenStripeStatus> open = registry.openStatus();
    boolean isDue = open.stream().anyMatch(one -> one.isWorthParity() || one.blocks() == 0);
    int waiting = open.stream().mapToInt(OpenStripeStatus::blocks).sum();
    if (left != waiting || isDue || registry.sealedWaiting() > 0) {
      flaws.add(left + " blocks wait, with open stripes " + open);
    }
    if (registry.counts().givingUp() > 0) {
      flaws.add(registry.counts().givingUp() + " stripes are being given up");
    }
  }

  /** Of a stripe no two blocks are on one node, and no more than may be in one rack. */
  private void lookAtPlaces(String path) throws IOException {
    StripeRecord record = record(path);
    if (record == null) {
      return;
    }
    List<Long> ids = new ArrayList<>();
    for (StripeRecord.Member member : record.members()) {
      if (!member.hasLeft()) {
        ids.add(member.blockId());
      }
    }
    blocks(path).forEach(block -> ids.add(block.getBlock().getBlockId()));
    Set<String> nodes = new HashSet<>();
    Map<String, Integer> inRack = new HashMap<>();
    for (long id : ids) {
      DatanodeInfo place = placeOf.get(id);
      if (place != null) {
        if (!nodes.add(place.getDatanodeUuid())
            || inRack.merge(place.getNetworkLocation(), 1, Integer::sum) > RACK_LIMIT) {
          flaws.add("block " + id + " of " + path + " is beside another on " + place);
        }
      }
    }
  }
}
