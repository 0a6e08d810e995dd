package org.rackweave.cli.experiment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The order in which policies take turns. Every other repetition runs in the opposite order, so
 * that what changes slowly on the machine meets all of them.
 */
public final class Turns {

  private Turns() {}

  /**
   * Who runs when in one repetition.
   *
   * @param repetition number of the repetition, from 0
   */
  public static <T> List<T> of(List<T> policies, int repetition) {
    List<T> order = new ArrayList<>(policies);
    if (repetition % 2 == 1) {
      Collections.reverse(order);
    }
    return order;
  }
}
