package org.rackweave.hdfs.ear;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import org.rackweave.ear.StripeAudit;
import org.rackweave.ear.StripeMove;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;

/**
 * Mends what HDFS chose without asking. Which replica of an encoded block is to stay is in memory
 * only: after a crash or failover HDFS knows that there are too many, and keeps whichever it likes,
 * perhaps beside another block of the same stripe. The same when a DataNode comes back whose blocks
 * were decoded meanwhile. So as long as there may be such a choice, blocks that lie wrong are
 * moved.
 *
 * <p>It rests when a whole walk over all stripes has found nothing to mend and no surplus to choose
 * from, until more or fewer DataNodes are there than before, or a file cannot give up its replicas
 * for misplaced blocks. What else the Balancer moves in between is left to operators, who may want
 * it so for a while.
 *
 * <p>Soft state, for one thread; the DataNodes' answers may come on any.
 */
final class PlaceVerifier {
  private final StripePlaces places;
  private final IntSupplier stripesMax;

  /** Inodes of the parity of stripes blocks of which are being moved. */
  private final Set<Long> moving = ConcurrentHashMap.newKeySet();

  private int usableNodes;
  private boolean isAtWork;
  private boolean isSettled;

  /**
   * @param stripesMax stripes that are mended at a time
   */
  PlaceVerifier(StripePlaces places, IntSupplier stripesMax) {
    this.places = places;
    this.stripesMax = stripesMax;
  }

  void clear() {
    usableNodes = 0;
    isAtWork = false;
    isSettled = false;
  }

  /** There is something to mend. */
  void wake() {
    isSettled = false;
  }

  /** A walk over all stripes begins. */
  void beginWalk(int usableNodesNow) {
    isAtWork = !isSettled || usableNodesNow != usableNodes;
    usableNodes = usableNodesNow;
    isSettled = true;
  }

  /**
   * Looks at a stripe that is to stay, and has blocks of it moved if need be.
   *
   * @param files of intact members, by the member's place
   */
  void look(LocatedStripe located, Map<Integer, StoredFile> files, ClusterView nodes) {
    if (!isAtWork || located.isDamaged()) {
      return;
    }
    for (Map.Entry<Integer, StoredFile> file : files.entrySet()) {
      if (StripePlaces.hasSurplus(located.blocks().get(file.getKey()), file.getValue())) {
        isSettled = false; // HDFS has not chosen yet
        return;
      }
    }
    StripeAudit audit = places.audit(located, nodes);
    if (!audit.isSound() && located.hasOtherReplicas()) {
      isSettled = false; // where they are there may be room when they are gone
    }
    List<StripeMove> moves =
        audit.moves().stream().filter(move -> move.kind() == StripeMove.Kind.MOVE).toList();
    if (!moves.isEmpty()) {
      isSettled = false;
      move(located, moves, nodes);
    }
  }

  private void move(LocatedStripe located, List<StripeMove> moves, ClusterView nodes) {
    long parityFile = located.stripe().parityFile();
    if (moving.size() >= stripesMax.getAsInt() || !moving.add(parityFile)) {
      return;
    }
    CompletableFuture<?>[] ordered =
        moves.stream()
            .map(move -> places.move(located, move, nodes))
            .flatMap(Optional::stream)
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(ordered).whenComplete((none, failure) -> moving.remove(parityFile));
  }
}
