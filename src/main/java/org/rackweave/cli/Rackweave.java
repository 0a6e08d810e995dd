package org.rackweave.cli;

/** Placeholder. */
public final class Rackweave {
  private Rackweave() {}

  /** Prints. */
  public static void main(String[] args) {
    System.out.println("rackweave");
  }
}
