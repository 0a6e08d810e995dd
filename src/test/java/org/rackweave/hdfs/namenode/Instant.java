package org.rackweave.hdfs.namenode;

import java.util.function.Predicate;
import org.rackweave.hdfs.InodePath;
import org.rackweave.hdfs.ear.CallStops.Call;

/**
 * The instants between which encoding a stripe, taking its surplus replicas away, letting members
 * go and giving a stripe up go on; each is a call of the NameNode that begins or is over.
 */
enum Instant {
  STRIPE_SEALED(call -> call.begins("mkdirs") && isUnfinished(call)),
  PARITY_CREATED(call -> call.ended("create") && isUnfinished(call)),
  PARITY_ALLOTTED(call -> call.ended("addBlock") && call.target().endsWith("/1")),
  PARITY_WRITTEN(call -> call.begins("blocks") && call.before().equals("addBlock")),
  PARITY_VERIFIED(call -> call.begins("complete") && call.target().endsWith("/0")),
  PARITY_CLOSED(call -> call.begins("setXAttr") && isUnfinished(call)),
  RECORD_SET(call -> call.ended("setXAttr") && isUnfinished(call)),
  PARITY_JOINED(call -> call.begins("rename2")),
  PARITY_IN_PLACE(call -> call.ended("rename2")),
  STRIPE_ENCODED(call -> call.ended("delete") && call.before().equals("rename2")),
  REPLICAS_NOT_SHED(call -> call.begins("shrink")),
  FACTOR_LOWERED(call -> call.ended("shrink")),
  RECORD_TO_BE_REPLACED(call -> call.begins("setXAttr") && isInode(call)),
  RECORD_REPLACED(call -> call.ended("setXAttr") && isInode(call)),
  FACTOR_TO_BE_RAISED(call -> call.begins("raise")),
  FACTOR_RAISED(call -> call.ended("raise")),
  PARITY_TO_BE_DELETED(call -> call.begins("delete") && isParity(call)),
  PARITY_DELETED(call -> call.ended("delete") && isParity(call));

  final Predicate<Call> where;

  Instant(Predicate<Call> where) {
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
    return call.target().startsWith(InodePath.PREFIX);
  }

  private static boolean isParity(Call call) {
    return call.target().startsWith("/.rackweave/parity/rs-");
  }
}
