package org.rackweave.sinbad;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.sinbad.RequestFixture.BLOCK;
import static org.rackweave.sinbad.RequestFixture.replicas;
import static org.rackweave.sinbad.Spread.DISTINCT_RACKS;
import static org.rackweave.sinbad.Spread.TWO_RACK;
import static org.rackweave.telemetry.ClusterFixture.MB;
import static org.rackweave.telemetry.ClusterFixture.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rackweave.placement.Admission;
import org.rackweave.placement.FallbackReason;
import org.rackweave.placement.PlacementDecision;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.placement.Refusal;
import org.rackweave.telemetry.ClusterFixture;
import org.rackweave.telemetry.LinkLedger;

/** Link selection, Pseudocode 2 and sections 6.1 to 6.4. Loads are MB/s received, links 100. */
class SinbadPlacementTest {
  private static final Admission EVERYTHING = (node, local) -> null;

  /** The class doc's example: racks with 40, 90 and 70 MB/s to spare. */
  private final ClusterFixture three =
      cluster().rackLinks(100).rack("/a", 20, 40, 0).rack("/b", 10, 0, 0).rack("/c", 0, 10, 20);

  private static PlacementDecision decide(
      Spread spread, ClusterFixture cluster, RequestFixture request, Admission admission) {
    return new SinbadPlacement(spread, 32)
        .place(cluster.ledger(), request.build(), admission, new Random(7));
  }

  private static Admission refusing(ClusterFixture cluster, Refusal why, String... hosts) {
    int[] refused = cluster.nodes(hosts);
    return (node, local) -> IntStream.of(refused).anyMatch(one -> one == node) ? why : null;
  }

  /** What was chosen, by name and in order of choice. */
  private static List<String> chosen(ClusterFixture cluster, PlacementDecision decision) {
    assertNull(decision.fallback(), () -> decision.describe(cluster.topology()));
    return IntStream.of(decision.nodes()).mapToObj(cluster.topology()::nodeName).toList();
  }

  private static List<String> racks(ClusterFixture cluster, PlacementDecision decision) {
    return chosen(cluster, decision).stream().map(n -> n.substring(0, n.lastIndexOf('/'))).toList();
  }

  private static List<String> racks(Spread spread, ClusterFixture cluster, RequestFixture request) {
    return racks(cluster, decide(spread, cluster, request, EVERYTHING));
  }

  private static List<String> chosen(
      Spread spread, ClusterFixture cluster, RequestFixture request) {
    return chosen(cluster, decide(spread, cluster, request, EVERYTHING));
  }

  @Nested
  class Writing {
    /** Section 2: r = 3, f = 1 is two racks and three machines. */
    @Test
    void putsTwoReplicasIntoTheBestRackElsewhere() {
      assertEquals(
          List.of("/a", "/b", "/b"), racks(TWO_RACK, three, replicas(3, three).writer("/a/1")));
      assertEquals("/a/1", chosen(TWO_RACK, three, replicas(3, three).writer("/a/1")).get(0));
    }

    /**
     * Pseudocode 2, lines 9 and 22 to 26: the local machine, then one of each of the best links.
     */
    @Test
    void putsOneReplicaIntoEachOfTheBestRacks() {
      assertEquals(
          List.of("/a", "/b", "/c"),
          racks(DISTINCT_RACKS, three, replicas(3, three).writer("/a/1")));
    }

    /** Pseudocode 2, line 9: M = {B.localMachine}, however busy. */
    @ParameterizedTest
    @EnumSource
    void keepsTheLocalCopyOnABusyWriter(Spread spread) {
      three.load("/a/1", 100, 100);
      assertEquals("/a/1", chosen(spread, three, replicas(3, three).writer("/a/1")).get(0));
    }

    /** Pseudocode 2, lines 21 and 25, below the rack: its best hosts. */
    @Test
    void takesTheBestHostsOfTheRack() {
      ClusterFixture cluster = cluster().rack("/a", 0).rack("/b", 50, 10, 30, 20);
      assertEquals(
          List.of("/a/0", "/b/1", "/b/3"),
          chosen(TWO_RACK, cluster, replicas(3, cluster).writer("/a/0")));
    }

    /** Section 6.3: the bottleneck of the path, not the rack link alone. */
    @Test
    void avoidsAFreeRackWhoseHostsAreBusy() {
      ClusterFixture cluster =
          cluster()
              .rackLinks(1000)
              .rack("/a", 0)
              .rack("/busy", 95, 95, 95)
              .rack("/free", 60, 60, 60);
      assertEquals("/free", racks(TWO_RACK, cluster, replicas(2, cluster).writer("/a/0")).get(1));
    }

    @Test
    void ranksARackByItsSecondHostWhenTwoReplicasGoThere() {
      ClusterFixture cluster =
          cluster().rack("/a", 0).rack("/b", 0, 95).rack("/c", 20, 30).rackLinks(200);
      assertEquals(
          List.of("/a", "/b"), racks(TWO_RACK, cluster, replicas(2, cluster).writer("/a/0")));
      assertEquals(
          List.of("/a", "/c", "/c"), racks(TWO_RACK, cluster, replicas(3, cluster).writer("/a/0")));
    }

    /** Only two of many replicas are sure to share the second rack. */
    @Test
    void ranksARackByItsSecondHostForManyReplicasToo() {
      ClusterFixture cluster =
          cluster().rackLinks(400).rack("/a", 0).rack("/b", 10, 10, 95, 95).rack("/c", 30, 30, 30);
      RequestFixture request = replicas(5, cluster).writer("/a/0").maxPerRack(4);
      assertEquals(List.of("/a", "/b", "/b"), racks(TWO_RACK, cluster, request).subList(0, 3));
    }

    /** Pseudocode 2, line 30: no link counts for more than a disk writes. */
    @Test
    void drawsAmongLinksThatAreAllWiderThanADisk() {
      ClusterFixture cluster =
          cluster().diskWrite(40).rack("/a", 0).rack("/b", 50).rack("/c", 0).rack("/d", 30);
      SinbadPlacement sinbad = new SinbadPlacement(TWO_RACK, 32);
      PlacementRequest request = replicas(2, cluster).writer("/a/0").build();
      LinkLedger links = cluster.ledger();
      Random random = new Random(20130812);
      int[] hits = new int[cluster.topology().nodeCount()];
      for (int i = 0; i < 6_000; i++) {
        hits[sinbad.place(links, request, EVERYTHING, random).nodes()[1]]++;
      }
      for (String host : List.of("/b/0", "/c/0", "/d/0")) {
        assertEquals(1 / 3.0, hits[cluster.node(host)] / 6000.0, 0.03, host);
      }
    }

    @Test
    void drawsTheFirstReplicaOfAnIdleClusterByTheSizeOfTheRacks() {
      ClusterFixture cluster = cluster().rackLinks(100).idleRack("/a", 1).idleRack("/b", 3);
      SinbadPlacement sinbad = new SinbadPlacement(TWO_RACK, 32);
      LinkLedger links = cluster.ledger();
      Random random = new Random(20130812);
      int[] hits = new int[4];
      for (int i = 0; i < 6_000; i++) {
        hits[sinbad.place(links, replicas(1, cluster).build(), EVERYTHING, random).nodes()[0]]++;
      }
      for (int node = 0; node < 4; node++) {
        assertEquals(0.25, hits[node] / 6000.0, 0.03);
      }
    }

    @ParameterizedTest
    @EnumSource
    void startsAtTheBestRackForAClientOutsideTheCluster(Spread spread) {
      List<String> racks = racks(spread, three, replicas(3, three));
      assertEquals("/b", racks.get(0));
      assertEquals("/c", racks.get(1));
      assertEquals(spread == TWO_RACK ? "/c" : "/a", racks.get(2));
    }

    @ParameterizedTest
    @EnumSource
    void startsInTheRackOfAWriterThatIsNoDataNode(Spread spread) {
      assertEquals(
          "/a/2", chosen(spread, three, replicas(3, three).writerInRack("/a")).get(0), "its best");
    }

    @ParameterizedTest
    @EnumSource
    void startsInTheWritersRackWhenTheWriterIsRefused(Spread spread) {
      Admission admission = refusing(three, Refusal.NO_SPACE, "/a/1");
      PlacementDecision decision =
          decide(spread, three, replicas(3, three).writer("/a/1"), admission);
      assertEquals("/a/2", chosen(three, decision).get(0));
      assertArrayEquals(
          new int[] {three.node("/a/1"), Refusal.NO_SPACE.ordinal()}, decision.refused());
    }

    @Test
    void startsAnywhereWhenTheWritersRackIsRefused() {
      Admission admission = refusing(three, Refusal.NOT_GOOD_TARGET, "/a/0", "/a/1", "/a/2");
      PlacementDecision decision =
          decide(TWO_RACK, three, replicas(3, three).writer("/a/1"), admission);
      assertEquals(List.of("/b", "/c", "/c"), racks(three, decision));
    }

    @Test
    void tellsAdmissionWhichCandidateIsLocal() {
      List<String> asked = new ArrayList<>();
      decide(
          TWO_RACK,
          three,
          replicas(2, three).writer("/a/1"),
          (node, local) -> {
            asked.add(three.topology().nodeName(node).substring(0, 2) + local);
            return null;
          });
      assertEquals(List.of("/atrue", "/bfalse"), asked);
    }

    @ParameterizedTest
    @EnumSource
    void doesNotPreferTheWriterWhenLocalCopiesAreOff(Spread spread) {
      assertEquals(
          "/a/2", chosen(spread, three, replicas(3, three).writer("/a/1").notLocal()).get(0));
    }

    /** HDFS's NO_LOCAL_RACK. */
    @ParameterizedTest
    @EnumSource
    void staysOutOfAForbiddenRack(Spread spread) {
      ClusterFixture cluster = three.rack("/d", 90);
      List<String> racks =
          racks(spread, cluster, replicas(3, cluster).writer("/a/1").forbiddenRack("/a"));
      assertTrue(racks.stream().noneMatch("/a"::equals), () -> "" + racks);
    }

    @Test
    void fillsFurtherReplicasFromTheBestLinksLeft() {
      List<String> racks = racks(TWO_RACK, three, replicas(4, three).writer("/a/1"));
      // 3 / 3 + 2: the third rack-mate is allowed, and /b has most room even so.
      assertEquals(List.of("/a", "/b", "/b", "/b"), racks);
      racks = racks(TWO_RACK, three, replicas(4, three).writer("/a/1").maxPerRack(2));
      assertEquals(List.of("/a", "/b", "/b", "/c"), racks);
    }

    @Test
    void ranksRacksByHostsThatHoldNoReplicaYet() {
      ClusterFixture cluster =
          cluster().rackLinks(400).rack("/a", 0, 98).rack("/b", 5, 5, 97).rack("/c", 40, 50);
      List<String> chosen = chosen(TWO_RACK, cluster, replicas(4, cluster).writer("/a/0"));
      assertEquals(Set.of("/b/0", "/b/1"), Set.copyOf(chosen.subList(1, 3)));
      assertEquals("/c/0", chosen.get(3), "the wide links of /a and /b are taken");
    }
  }

  @Nested
  class SmallAndUnevenClusters {
    /** Section 6.1: without topology each machine is its own fault domain. */
    @ParameterizedTest
    @EnumSource
    void takesTheBestHostsOfTheOnlyRack(Spread spread) {
      ClusterFixture cluster = cluster().rack("/default-rack", 80, 10, 50, 20, 90);
      assertEquals(
          List.of("/default-rack/0", "/default-rack/1", "/default-rack/3"),
          chosen(spread, cluster, replicas(3, cluster).writer("/default-rack/0")));
    }

    @Test
    void spreadsOverBothOfTwoRacks() {
      ClusterFixture cluster = cluster().idleRack("/a", 3).idleRack("/b", 3);
      assertEquals(
          List.of("/a", "/b", "/b"), racks(TWO_RACK, cluster, replicas(3, cluster).writer("/a/0")));
    }

    /** Pseudocode 2, lines 17 to 19: not enough locations. */
    @Test
    void fallsBackWhenThereAreFewerRacksThanReplicas() {
      ClusterFixture cluster = cluster().idleRack("/a", 3).idleRack("/b", 3);
      PlacementDecision decision =
          decide(DISTINCT_RACKS, cluster, replicas(3, cluster).writer("/a/0"), EVERYTHING);
      assertEquals(FallbackReason.NOT_ENOUGH_RACKS, decision.fallback());
      assertEquals(0, decision.nodes().length);
    }

    @Test
    void returnsToTheWritersRackWhenTheOtherRackHasOneHost() {
      ClusterFixture cluster = cluster().idleRack("/large", 10).idleRack("/small", 1);
      assertEquals(
          List.of("/large", "/small", "/large"),
          racks(TWO_RACK, cluster, replicas(3, cluster).writer("/large/0")));
    }

    @Test
    void prefersARackThatHasRoomForBothReplicas() {
      ClusterFixture cluster =
          cluster().idleRack("/a", 3).idleRack("/small", 1).rack("/c", 70, 70, 70);
      assertEquals(
          List.of("/a", "/c", "/c"), racks(TWO_RACK, cluster, replicas(3, cluster).writer("/a/0")));
    }

    @Test
    void staysInTheWritersRackWhenTheOthersAreFull() {
      ClusterFixture cluster = cluster().idleRack("/a", 3).idleRack("/b", 2);
      Admission admission = refusing(cluster, Refusal.NO_SPACE, "/b/0", "/b/1");
      PlacementDecision decision =
          decide(TWO_RACK, cluster, replicas(2, cluster).writer("/a/0").maxPerRack(2), admission);
      assertEquals(List.of("/a", "/a"), racks(cluster, decision));
    }

    @Test
    void goesToTheNextBestRackWhenTheBestAdmitsNone() {
      Admission admission = refusing(three, Refusal.NO_SPACE, "/b/0", "/b/1", "/b/2");
      for (Spread spread : Spread.values()) {
        PlacementDecision decision =
            decide(spread, three, replicas(2, three).writer("/a/0"), admission);
        assertEquals(List.of("/a", "/c"), racks(three, decision));
        assertEquals(6, decision.refused().length, "all of /b were asked");
      }
    }

    @Test
    void leavesTheWritersRackHoweverFreeWhenTheBestRackElsewhereAdmitsNone() {
      ClusterFixture cluster = cluster().idleRack("/a", 3).rack("/b", 50).rack("/c", 80);
      Admission admission = refusing(cluster, Refusal.NO_SPACE, "/b/0");
      PlacementDecision decision =
          decide(TWO_RACK, cluster, replicas(2, cluster).writer("/a/0").maxPerRack(2), admission);
      assertEquals(List.of("/a", "/c"), racks(cluster, decision));
    }

    @Test
    void splitsTheRestWhenTheSecondRackHasOneAdmissibleHost() {
      Admission admission = refusing(three, Refusal.NO_SPACE, "/b/0", "/b/1");
      PlacementDecision decision =
          decide(TWO_RACK, three, replicas(3, three).writer("/a/0"), admission);
      assertEquals(List.of("/a", "/b", "/a"), racks(three, decision), "as stock: the first's rack");
    }

    @Test
    void goesAnywhereWhenBothRacksAreExhausted() {
      ClusterFixture cluster = cluster().idleRack("/a", 1).idleRack("/b", 1).rack("/c", 90);
      assertEquals(
          List.of("/a", "/b", "/c"), racks(TWO_RACK, cluster, replicas(3, cluster).writer("/a/0")));
    }

    @ParameterizedTest
    @EnumSource
    void fallsBackWithoutAUsableHost(Spread spread) {
      ClusterFixture cluster =
          cluster().idleRack("/a", 1).idleRack("/b", 1).dead("/a/0").dead("/b/0");
      PlacementDecision decision = decide(spread, cluster, replicas(1, cluster), EVERYTHING);
      assertEquals(
          spread == TWO_RACK ? FallbackReason.NOT_ENOUGH_NODES : FallbackReason.NOT_ENOUGH_RACKS,
          decision.fallback());
    }

    /** Section 6.2: a missing link counts as full; it is the last to be taken, not forbidden. */
    @ParameterizedTest
    @EnumSource
    void usesHostsWithoutAMeasurementLast(Spread spread) {
      ClusterFixture cluster =
          cluster()
              .rackLinks(1000)
              .idleRack("/a", 1)
              .idleRack("/b", 1)
              .rack("/c", 99)
              .missing("/b/0");
      assertEquals("/c", racks(spread, cluster, replicas(2, cluster).writer("/a/0")).get(1));
      assertEquals("/b", racks(spread, cluster, replicas(3, cluster).writer("/a/0")).get(2));
    }

    /** Section 6.4, storage balancing as a filter. */
    @ParameterizedTest
    @EnumSource
    void sparesHostsMuchFullerThanTheMean(Spread spread) {
      ClusterFixture cluster =
          cluster().idleRack("/a", 2).idleRack("/b", 1).rack("/c", 80).used("/b/0", 0.5);
      assertEquals("/c", racks(spread, cluster, replicas(2, cluster).writer("/a/0")).get(1));
    }

    @ParameterizedTest
    @EnumSource
    void ranksAnOversubscribedRackByItsLink(Spread spread) {
      ClusterFixture cluster =
          cluster()
              .oversubscription(4)
              .idleRack("/a", 1)
              .rack("/b", 30, 30, 30, 0)
              .rack("/c", 0, 0);
      // /b: 100 - 90 on its link; /c: 50.
      assertEquals("/c", racks(spread, cluster, replicas(2, cluster).writer("/a/0")).get(1));
    }
  }

  @Nested
  class Repairing {
    @ParameterizedTest
    @EnumSource
    void leavesTheRackOfTheOnlyReplica(Spread spread) {
      RequestFixture request = replicas(1, three).writer("/b/0").existing("/b/0");
      assertEquals(List.of("/c"), racks(spread, three, request));
    }

    /** Stock: with two replicas in one rack the third leaves it. */
    @ParameterizedTest
    @EnumSource
    void leavesTheRackThatHoldsBothReplicas(Spread spread) {
      RequestFixture request = replicas(1, three).writer("/b/0").existing("/b/0", "/b/1");
      assertEquals(List.of("/c"), racks(spread, three, request));
    }

    /** Stock: with two replicas in two racks the third joins the source of the copy. */
    @Test
    void joinsTheSourcesRackWhenTheReplicasAreInTwoRacks() {
      assertEquals(
          List.of("/a/2"),
          chosen(TWO_RACK, three, replicas(1, three).writer("/a/0").existing("/a/0", "/b/0")));
      RequestFixture fromB = replicas(1, three).writer("/b/0").existing("/a/0", "/b/0");
      assertEquals(List.of("/b"), racks(TWO_RACK, three, fromB));
    }

    @Test
    void joinsTheOtherReplicaWhenTheSourcesRackAdmitsNone() {
      Admission admission = refusing(three, Refusal.NO_SPACE, "/b/1", "/b/2");
      RequestFixture request = replicas(1, three).writer("/b/0").existing("/a/0", "/b/0");
      assertEquals(List.of("/a"), racks(three, decide(TWO_RACK, three, request, admission)));
    }

    @Test
    void takesAnUnusedRackForEachReplicaWhereRacksMustDiffer() {
      assertEquals(
          List.of("/c"),
          racks(DISTINCT_RACKS, three, replicas(1, three).writer("/a/0").existing("/a/0", "/b/0")));
    }

    /** Stock: while a pipeline grows the third replica joins the second. */
    @Test
    void joinsTheSecondReplicaOfABlockThatIsBeingWritten() {
      RequestFixture request =
          replicas(1, three).writer("/a/0").existing("/a/0", "/c/0").newBlock();
      assertEquals(List.of("/c"), racks(TWO_RACK, three, request));
    }

    /** The third goes beside the source, so the second's rack needs room for one only. */
    @Test
    void ranksTheRemoteRackByOneHostWhenTheThirdReplicaReturns() {
      ClusterFixture cluster =
          cluster().rackLinks(200).rack("/a", 0, 0).rack("/b", 0, 95).rack("/c", 20, 30);
      RequestFixture request = replicas(2, cluster).writer("/a/0").existing("/a/0");
      assertEquals(List.of("/b/0", "/a/1"), chosen(TWO_RACK, cluster, request));
    }

    @Test
    void takesTheBestLinkForAFourthReplica() {
      RequestFixture request = replicas(1, three).writer("/a/0").existing("/a/0", "/c/0", "/c/1");
      assertEquals(List.of("/b"), racks(TWO_RACK, three, request));
    }

    @Test
    void leavesARackThatHoldsTooManyAlready() {
      RequestFixture request = replicas(1, three).writer("/b/0").existing("/b/0", "/b/1", "/b/2");
      assertEquals(List.of("/c"), racks(TWO_RACK, three, request.maxPerRack(2)));
    }

    @ParameterizedTest
    @EnumSource
    void neverChoosesAHolderAgain(Spread spread) {
      ClusterFixture cluster = cluster().rack("/a", 0, 90);
      RequestFixture request = replicas(1, cluster).writer("/a/0").existing("/a/0");
      PlacementDecision decision = decide(spread, cluster, request, EVERYTHING);
      assertEquals(List.of("/a/1"), chosen(cluster, decision));
      assertEquals(0, decision.refused().length, "a holder is no refused candidate");
    }
  }

  /** Fault domains (section 6.1), which are upgrade domains in HDFS. */
  @Nested
  class FaultDomains {
    private final ClusterFixture cluster =
        cluster()
            .rackLinks(300)
            .rack("/a", 0, 10, 20)
            .rack("/b", 0, 10, 20)
            .domains("/a", "x", "y", "z")
            .domains("/b", "x", "y", "z");

    @Test
    void spansDifferentDomains() {
      assertEquals(
          List.of("/a/0", "/b/1", "/b/2"),
          chosen(TWO_RACK, cluster, replicas(3, cluster).writer("/a/0").domainFactor(3)));
    }

    @Test
    void saysThatADomainWasTheReason() {
      PlacementDecision decision =
          decide(
              TWO_RACK, cluster, replicas(2, cluster).writer("/a/0").domainFactor(2), EVERYTHING);
      assertArrayEquals(
          new int[] {cluster.node("/b/0"), Refusal.SAME_FAULT_DOMAIN.ordinal()},
          decision.refused());
    }

    @Test
    void sharesDomainsOnceTheFactorIsReached() {
      assertEquals(
          List.of("/a/0", "/b/1", "/b/0"),
          chosen(TWO_RACK, cluster, replicas(3, cluster).writer("/a/0").domainFactor(2)));
    }

    @Test
    void sharesDomainsWhenThereAreFewerThanTheFactor() {
      List<String> chosen =
          chosen(TWO_RACK, cluster, replicas(4, cluster).writer("/a/0").domainFactor(7));
      assertEquals(4, Set.copyOf(chosen).size());
      assertEquals(List.of("/a/0", "/b/1", "/b/2"), chosen.subList(0, 3));
    }

    @Test
    void ignoresDomainsWithoutAFactor() {
      assertEquals(
          List.of("/a/0", "/b/0"), chosen(TWO_RACK, cluster, replicas(2, cluster).writer("/a/0")));
    }

    @Test
    void takesANodeLeftOutForADomainOfItsOwn() {
      ClusterFixture mixed =
          cluster().rack("/a", 0).rack("/b", 0, 50).domains("/a", "x").domains("/b", "x", null);
      assertEquals(
          List.of("/a/0", "/b/1"),
          chosen(TWO_RACK, mixed, replicas(2, mixed).writer("/a/0").domainFactor(3)));
    }

    @Test
    void countsTheDomainsOfExistingReplicas() {
      RequestFixture request =
          replicas(1, cluster).writer("/a/0").existing("/a/0", "/b/1").domainFactor(3);
      assertEquals(List.of("/a/2"), chosen(TWO_RACK, cluster, request));
    }

    @Test
    void leavesARackThatIsOneDomainHoweverLargeItIs() {
      ClusterFixture racksAsDomains = cluster().rackLinks(4000);
      for (String rack : List.of("/a", "/b", "/c")) {
        String[] domains = new String[40];
        Arrays.fill(domains, rack);
        racksAsDomains.idleRack(rack, 40).domains(rack, domains);
      }
      List<String> racks =
          racks(TWO_RACK, racksAsDomains, replicas(3, racksAsDomains).domainFactor(3));
      assertEquals(Set.of("/a", "/b", "/c"), Set.copyOf(racks));
    }
  }

  @Nested
  class Limits {
    @ParameterizedTest
    @EnumSource
    void stopsAskingAtTheBoundOnCandidates(Spread spread) {
      ClusterFixture cluster = cluster().idleRack("/a", 100).idleRack("/b", 100);
      int[] asked = {0};
      PlacementDecision decision =
          new SinbadPlacement(spread, 10)
              .place(
                  cluster.ledger(),
                  replicas(2, cluster).build(),
                  (node, local) -> {
                    asked[0]++;
                    return Refusal.NOT_GOOD_TARGET;
                  },
                  new Random(1));
      assertEquals(FallbackReason.SEARCH_LIMIT, decision.fallback());
      assertEquals(10, asked[0]);
      assertEquals(20, decision.refused().length);
    }

    @ParameterizedTest
    @EnumSource
    void doesNotCountWhatIsTaken(Spread spread) {
      ClusterFixture cluster = cluster();
      for (int rack = 0; rack < 8; rack++) {
        cluster.idleRack("/r" + rack, 2);
      }
      PlacementDecision decision =
          new SinbadPlacement(spread, 1)
              .place(cluster.ledger(), replicas(8, cluster).build(), EVERYTHING, new Random(1));
      assertEquals(8, chosen(cluster, decision).size());
    }

    @Test
    void namesEachRefusalWithItsReason() {
      Admission admission =
          (node, local) ->
              node == three.node("/b/0")
                  ? Refusal.NOT_ALIVE
                  : node == three.node("/b/1") ? Refusal.NO_SPACE : Refusal.EXCLUDED;
      PlacementDecision decision =
          decide(TWO_RACK, three, replicas(1, three).writerInRack("/b"), admission);
      String text = decision.describe(three.topology());
      assertEquals(FallbackReason.NOT_ENOUGH_NODES, decision.fallback());
      assertTrue(text.contains("/b/0 (NOT_ALIVE)"), text);
      assertTrue(text.contains("/b/1 (NO_SPACE)"), text);
      assertTrue(text.contains("/a/0 (EXCLUDED)"), text);
    }

    @Test
    void fallsBackWhenOnlySomeReplicasFit() {
      ClusterFixture cluster = cluster().idleRack("/a", 1).idleRack("/b", 1);
      PlacementDecision decision =
          decide(TWO_RACK, cluster, replicas(3, cluster).writer("/a/0"), EVERYTHING);
      assertEquals(FallbackReason.NOT_ENOUGH_NODES, decision.fallback());
      assertEquals(0, decision.nodes().length, "stock decides about all of them");
    }

    @Test
    void changesNothingUntilCommitted() {
      LinkLedger links = three.ledger();
      PlacementRequest request = replicas(3, three).writer("/a/0").build();
      double[] before = rooms(links);
      new SinbadPlacement(TWO_RACK, 32).place(links, request, EVERYTHING, new Random(1));
      assertArrayEquals(before, rooms(links));
    }
  }

  /** Pseudocode 2, line 23: hysteresis on the selected links only. */
  @Nested
  class Committing {
    private final SinbadPlacement sinbad = new SinbadPlacement(TWO_RACK, 32);
    private final LinkLedger links = three.ledger();
    private final double[] before = rooms(links);

    private void assertPromised(String host, double mb) {
      int node = three.node(host);
      assertEquals(before[node] - mb * MB, links.expectedAtHost(node), 1, host);
    }

    private void assertRackPromised(String rack, double mb) {
      int number = three.rack(rack);
      double earlier = before[three.topology().nodeCount() + number];
      assertEquals(earlier - mb * MB, links.expectedAtRack(number), 1, rack);
    }

    private void commit(RequestFixture request, String... pipeline) {
      sinbad.commit(links, request.build(), three.nodes(pipeline), 0);
    }

    @Test
    void promisesNothingForTheLocalCopyAndOneCrossingForARack() {
      commit(replicas(3, three).writer("/a/0"), "/a/0", "/b/0", "/b/1");
      assertPromised("/a/0", 0);
      assertPromised("/b/0", BLOCK / MB);
      assertPromised("/b/1", BLOCK / MB);
      assertPromised("/c/0", 0);
      assertRackPromised("/a", 0);
      assertRackPromised("/b", BLOCK / MB);
      assertRackPromised("/c", 0);
    }

    @Test
    void promisesTheRackLinkToAClientOutsideTheCluster() {
      commit(replicas(2, three), "/b/0", "/c/0");
      assertRackPromised("/b", BLOCK / MB);
      assertRackPromised("/c", BLOCK / MB);
    }

    @Test
    void promisesNoRackLinkInsideTheWritersRack() {
      commit(replicas(1, three).writerInRack("/a"), "/a/2");
      assertPromised("/a/2", BLOCK / MB);
      assertRackPromised("/a", 0);
    }

    @Test
    void promisesNothingToExistingReplicasInThePipeline() {
      commit(replicas(1, three).writer("/a/0").existing("/a/0", "/b/0"), "/a/0", "/b/0", "/b/1");
      assertPromised("/b/0", 0);
      assertPromised("/b/1", BLOCK / MB);
      assertRackPromised("/b", 0);
    }
  }

  /** Room of every host, then of every rack. */
  private static double[] rooms(LinkLedger links) {
    int nodes = links.topology().nodeCount();
    return IntStream.range(0, nodes + links.topology().rackCount())
        .mapToDouble(i -> i < nodes ? links.expectedAtHost(i) : links.expectedAtRack(i - nodes))
        .toArray();
  }
}
