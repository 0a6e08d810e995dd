package org.rackweave.sim.claims;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.rackweave.sim.claims.Claim.Detail;
import org.rackweave.sim.report.Estimate;

/** What is said of a claim that is missed is what was measured. */
class EarCausesTest {

  @Test
  void namesWhatIsReadAcrossRacks() {
    Map<String, Estimate> ours = new LinkedHashMap<>();
    ours.put("k = 10, R = 20", Estimate.of(0, 0));
    ours.put("k = 8, R = 12", Estimate.of(0, 0.5));
    List<Detail> off = List.of(new Detail("RR, k = 10, R = 20", "blocks", 9, Estimate.of(7, 8)));
    assertEquals(
        "EAR reads 0.25, and up to 0.50, with k = 8, R = 12; RR, k = 10, R = 20 reads 7.50 where"
            + " replicas in two random racks make it 9.00",
        EarCauses.ofDownloads(ours, off));
    assertEquals(
        "EAR reads 0.25, and up to 0.50, with k = 8, R = 12",
        EarCauses.ofDownloads(ours, List.of()));
  }

  @Test
  void namesTheSettingsWithMostRelocations() {
    Map<String, Estimate> ours = new LinkedHashMap<>();
    ours.put("ear-sweep", Estimate.of(0, 0));
    ours.put("ear-sweep c=2", Estimate.of(0.5));
    ours.put("ear-sweep c=4", Estimate.of(0.25, 0.75, 2));
    assertEquals(
        "with 2 of 3 settings no keepers were found for some blocks, for a stripe 1.000 with"
            + " ear-sweep c=4, 0.500 with ear-sweep c=2",
        EarCauses.ofRelocations(ours));
  }

  @Test
  void namesTheBlockThatIsFurthestOverItsBound() {
    List<Detail> draws =
        List.of(
            new Detail("block 1, c = 1", "draws", 1, Estimate.of(1)),
            new Detail("block 2, c = 1", "draws", 2, Estimate.of(3)),
            new Detail("block 3, c = 1", "draws", 4, Estimate.of(5)));
    assertEquals(
        "block 2, c = 1 takes 3.00 draws where full racks explain 2.00, and 2 of 3 blocks take more"
            + " than that",
        EarCauses.ofDraws(draws));
  }

  @Test
  void namesTheFullestAndTheEmptiestRack() {
    List<double[]> ear = List.of(new double[] {1, 3, 2}, new double[] {2, 2, 2});
    List<double[]> rr = List.of(new double[] {2, 2, 2}, new double[] {2, 2, 2});
    assertEquals(
        "the fullest rack has 1.25 times the average under EAR and 1.00 times under RR, the emptiest"
            + " 0.75 and 1.00 times",
        EarCauses.ofBalance(ear, rr));
  }

  @Test
  void tellsWhoWaitsLonger() {
    assertEquals(
        "reads take +10.0 % of RR's time more and writes -5.0 %; over the seeds that varies from"
            + " -10.0 to +30.0 % and from -5.0 to -5.0 %",
        EarCauses.ofJobs(Estimate.of(-0.3, 0.1), Estimate.of(0.05)));
  }

  @Test
  void tellsWhatWritesTakeWithAndWithoutEncoding() {
    assertEquals(
        "under RR a write takes 1.50 s while stripes are encoded and 1.40 s otherwise, under EAR"
            + " 1.45 s while they are: RR's 6.67 blocks across racks for each stripe take that much"
            + " from writes and no more",
        EarCauses.ofWrites(1.5, 1.4, 1.45, 6.67));
  }

  @Test
  void namesTheValuesWithWhichEarIsSlower() {
    List<Detail> gains =
        List.of(
            new Detail("2, encoding", "times", Double.NaN, Estimate.of(0.9, 1.0)),
            new Detail("2, writing", "times", Double.NaN, Estimate.of(1.4)),
            new Detail("4, encoding", "times", Double.NaN, Estimate.of(0.5)));
    assertEquals(
        "EAR is the slower one in 2 of 3: 4, encoding 0.50 times (0.50 to 0.50 over the seeds); 2,"
            + " encoding 0.95 times (0.90 to 1.00 over the seeds)",
        EarCauses.ofSweep(gains));
  }
}
