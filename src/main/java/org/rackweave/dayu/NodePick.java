package org.rackweave.dayu;

/** A way to choose for one task after another, each knowing what those before were given. */
interface NodePick {
  /** A source with bandwidth. */
  int source(int task);

  /** A destination that may get the task, or NONE when none was found. */
  int destination(int task, int source);

  /** Says that a node has got a task. */
  default void placed(int destination) {}

  /** Whether a task is left for the next slot when the nodes picked cannot finish it in this. */
  default boolean respectsSlot() {
    return true;
  }
}
