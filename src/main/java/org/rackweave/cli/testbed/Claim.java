package org.rackweave.cli.testbed;

import java.io.IOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileUtil;

/**
 * A testbed's place on this machine: its directory under {@link #BASE}, and a block of addresses
 * marked as taken by a link to that directory. Making a directory and making a link are atomic, so
 * two testbeds that start at the same moment do not get the same place.
 *
 * @param base directory of all testbeds
 * @param prefix name of the testbed
 * @param addresses its addresses
 */
record Claim(Path base, String prefix, AddressBlock addresses) {

  /** Where testbeds are registered. */
  static final Path BASE = Path.of("/run/rackweave");

  private static final String LINK = ".addresses-";

  /**
   * Takes a place.
   *
   * @throws IOException if {@code prefix} or all blocks of addresses are taken
   */
  static Claim take(Path base, String prefix) throws IOException {
    return take(base, prefix, addressesInUse());
  }

  /** As {@link #take(Path, String)}, passing over blocks that contain one of {@code inUse}. */
  static Claim take(Path base, String prefix, Set<String> inUse) throws IOException {
    makeDirectory(base, prefix);
    for (int number = 0; number < AddressBlock.COUNT; number++) {
      AddressBlock addresses = new AddressBlock(number);
      boolean free = !inUse.contains(addresses.controlOutside());
      if (free && link(base.resolve(LINK + number), prefix)) {
        return new Claim(base, prefix, addresses);
      }
    }
    release(base, prefix);
    throw new IOException(
        "all " + AddressBlock.COUNT + " blocks of addresses of 198.18.0.0/15 are in use");
  }

  private static void makeDirectory(Path base, String prefix) throws IOException {
    Path directory = base.resolve(prefix);
    while (true) {
      Files.createDirectories(base);
      try {
        Files.createDirectory(directory);
        return;
      } catch (NoSuchFileException e) {
        // The last other testbed has gone in between, and the base with it.
      } catch (FileAlreadyExistsException e) {
        throw new IOException(
            "there is a testbed "
                + prefix
                + " already ("
                + directory
                + "): take it down with docker/testbed down --prefix "
                + prefix
                + ", or choose another --prefix",
            e);
      }
    }
  }

  private static boolean link(Path link, String prefix) throws IOException {
    try {
      Files.createSymbolicLink(link, Path.of(prefix));
      return true;
    } catch (FileAlreadyExistsException taken) {
      return false;
    }
  }

  private static Set<String> addressesInUse() throws SocketException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .map(address -> address.getHostAddress())
        .collect(Collectors.toSet());
  }

  /** Names of all testbeds that have a place. */
  static List<String> prefixes(Path base) throws IOException {
    if (!Files.isDirectory(base)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(base)) {
      return entries
          .filter(Files::isDirectory)
          .filter(entry -> !Files.isSymbolicLink(entry))
          .map(entry -> Objects.requireNonNull(entry.getFileName()).toString())
          .sorted()
          .toList();
    }
  }

  RunDirectory directory() {
    return new RunDirectory(base.resolve(prefix));
  }

  /** Gives the place back, with everything in its directory. */
  void release() throws IOException {
    release(base, prefix);
  }

  /** Gives back, the addresses first, whatever place {@code prefix} has. */
  static void release(Path base, String prefix) throws IOException {
    for (int number = 0; number < AddressBlock.COUNT; number++) {
      Path link = base.resolve(LINK + number);
      if (Files.isSymbolicLink(link) && Files.readSymbolicLink(link).equals(Path.of(prefix))) {
        Files.deleteIfExists(link);
      }
    }
    Path directory = base.resolve(prefix);
    if (!FileUtil.fullyDelete(directory.toFile()) && Files.exists(directory)) {
      throw new IOException("cannot delete " + directory);
    }
    try {
      Files.delete(base);
    } catch (DirectoryNotEmptyException | NoSuchFileException othersAreUp) {
      // The last one to leave deletes it.
    }
  }
}
