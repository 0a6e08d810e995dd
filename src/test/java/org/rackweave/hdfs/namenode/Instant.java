package org.rackweave.hdfs.namenode;

import java.util.function.Predicate;
import org.rackweave.hdfs.ear.CallStops.Call;

/**
 * The instants between which encoding a stripe, taking its surplus replicas away, letting members
 * go and giving a stripe up go on; each is a call of the NameNode that begins or is over.
 */
enum Instant {
  STRIPE_SEALED(true, call -> call.begins("mkdirs") && isUnfinished(call)),
  PARITY_CREATED(false, call -> call.ended("create") && isUnfinished(call)),
  PARITY_ALLOTTED(false, call -> call.ended("addBlock") && call.target().endsWith("/1")),
  PARITY_WRITTEN(true, call -> call.begins("blocks") && call.before().equals("addBlock")),
  PARITY_VERIFIED(false, call -> call.begins("complete") && call.target().endsWith("/0")),
  PARITY_CLOSED(false, call -> call.begins("setXAttr") && isUnfinished(call)),
  RECORD_SET(false, call -> call.ended("setXAttr") && isUnfinished(call)),
  PARITY_JOINED(false, call -> call.begins("rename2")),
  PARITY_IN_PLACE(true, call -> call.ended("rename2")),
  STRIPE_ENCODED(false, call -> call.ended("delete") && call.before().equals("rename2")),
  REPLICAS_NOT_SHED(false, call -> call.begins("shrink")),
  FACTOR_LOWERED(true, call -> call.ended("shrink")),
  RECORD_TO_BE_REPLACED(false, call -> call.begins("setXAttr") && isInode(call)),
  RECORD_REPLACED(true, call -> call.ended("setXAttr") && isInode(call)),
  FACTOR_TO_BE_RAISED(false, call -> call.begins("raise")),
  FACTOR_RAISED(false, call -> call.ended("raise")),
  PARITY_TO_BE_DELETED(true, call -> call.begins("delete") && isParity(call)),
  PARITY_DELETED(false, call -> call.ended("delete") && isParity(call));

  /** Whether it is tried where there is little time. */
  final boolean isAlwaysTried;

  final Predicate<Call> where;

  Instant(boolean isAlwaysTried, Predicate<Call> where) {
    this.isAlwaysTried = isAlwaysTried;
    this.where = where;
  }

  /** Whether it comes while stripes are made, and not when they are taken apart. */
  boolean isOfEncoding() {
    return compareTo(FACTOR_LOWERED) <= 0;
  }

  /** Whether a stripe loses so many members that it is given up. */
  boolean isOfGivingUp() {
    return compareTo(RECORD_REPLACED) > 0;
  }

  private static boolean isUnfinished(Call call) {
    return call.target().contains("/unfinished/");
  }

  private static boolean isInode(Call call) {
    return call.target().startsWith("/.reserved/.inodes/");
  }

  private static boolean isParity(Call call) {
    return call.target().startsWith("/.rackweave/parity/rs-");
  }
}
