package dev.psm.core.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class StatsTest {
  @Test
  void summaryMatchesHandComputation() {
    Summary summary = Summary.of(new double[] {4, 1, 3, 8});
    assertEquals(4, summary.count());
    assertEquals(4, summary.mean());
    assertEquals(Math.sqrt(26 / 3.0), summary.standardDeviation(), 1e-15);
    assertEquals(Math.sqrt(26 / 12.0), summary.standardError(), 1e-15);
    assertEquals(1, summary.min());
    assertEquals(8, summary.max());
    assertEquals(3.5, summary.median());
    assertEquals(2, Summary.of(new double[] {9, 2, 1}).median());
  }

  @Test
  void summaryOfTooLittleIsNaNRatherThanZero() {
    assertTrue(Double.isNaN(Summary.of(new double[] {5}).standardDeviation()));
    assertEquals(5, Summary.of(new double[] {5}).mean());
    assertTrue(Double.isNaN(Summary.of(new double[0]).mean()));
    assertTrue(Double.isNaN(Summary.of(new double[] {1, Double.NaN}).max()));
  }

  @Test
  void interquartileMeanCutsAQuarterAtEitherEnd() {
    assertEquals(4.5, Interquartile.mean(new double[] {1000, 2, 3, 4, 5, 6, 7, -1000}));
    assertEquals(3, Interquartile.mean(new double[] {1, 2, 3, 4, 100}));
    assertEquals(2, Interquartile.mean(new double[] {1, 2, 3}));
  }

  @Test
  void bootstrapIsStratifiedByTask() {
    // Every run scores the same within a task, so resampling runs cannot change anything.
    double[][] scores = {{0, 10, 20, 30}, {0, 10, 20, 30}, {0, 10, 20, 30}};
    assertEquals(new Interquartile(15, 15, 15), Interquartile.of(scores, 200, 1));
  }

  @Test
  void bootstrapIntervalHasTheWidthOfTheTheory() {
    Random random = new Random(7);
    double[] scores = IntStream.range(0, 400).mapToDouble(i -> random.nextGaussian()).toArray();
    Interquartile interval = Interquartile.of(scores, 2000, 3);
    assertEquals(interval, Interquartile.of(scores, 2000, 3));
    assertTrue(interval.low() < interval.mean() && interval.mean() < interval.high());
    // The asymptotic variance of the 25 % trimmed mean of a normal sample is 1.195/n.
    double width = 2 * 1.96 * Math.sqrt(1.195 / 400);
    assertEquals(width, interval.high() - interval.low(), 0.15 * width);
  }

  @Test
  void tasksOfOneRunAreRedrawnTogether() {
    // All tasks of a run agree, so eight of them tell no more than one does.
    double[][] scores = new double[10][8];
    double[] alone = new double[10];
    for (int run = 0; run < 10; run++) {
      alone[run] = run;
      Arrays.fill(scores[run], run);
    }
    Interquartile whole = Interquartile.ofRuns(scores, 4000, 1);
    Interquartile one = Interquartile.of(alone, 4000, 1);
    Interquartile perTask = Interquartile.of(scores, 4000, 1);
    assertEquals(4.5, whole.mean());
    assertEquals(one.high() - one.low(), whole.high() - whole.low(), 0.5);
    assertTrue(perTask.high() - perTask.low() < 0.6 * (whole.high() - whole.low()));
    assertEquals(new Interquartile(4, 4, 4), Interquartile.ofRuns(new double[][] {{3, 5}}, 9, 1));
  }

  @Test
  void raggedScoresAreRefused() {
    double[][] ragged = {{1, 2}, {1}};
    assertThrows(IllegalArgumentException.class, () -> Interquartile.of(ragged, 10, 1));
  }

  @Test
  void separatedSamplesHaveTheirKnownExactP() {
    double[] low = {1, 2, 3, 4, 5};
    double[] high = {6, 7, 8, 9, 10};
    assertEquals(new MannWhitney(0, 2 / 252.0, true), MannWhitney.test(low, high));
    assertEquals(new MannWhitney(25, 2 / 252.0, true), MannWhitney.test(high, low));
    assertEquals(0.1, MannWhitney.test(new double[] {1, 2, 3}, new double[] {4, 5, 6}).p(), 1e-15);
  }

  @Test
  void overlappingSamplesMatchTheTables() {
    // {1,2,4} against {3,5,6}: rank sums 6 and 7 and their mirrors 14 and 15 are as extreme, 4/20.
    MannWhitney test = MannWhitney.test(new double[] {1, 2, 4}, new double[] {3, 5, 6});
    assertEquals(1, test.u());
    assertEquals(0.2, test.p(), 1e-15);
  }

  @Test
  void tiesUseThePermutationDistribution() {
    // Of the six ways to pick two of {1,2,2,3}, only {1,2}, {1,2}, {2,3}, {2,3} are off-centre.
    MannWhitney test = MannWhitney.test(new double[] {1, 2}, new double[] {2, 3});
    assertEquals(0.5, test.u());
    assertEquals(4 / 6.0, test.p(), 1e-15);
    double[] same = {1, 1, 1};
    assertEquals(new MannWhitney(4.5, 1, true), MannWhitney.test(same, same));
  }

  @Test
  void theApproximationAgreesWithTheExactValueWhereBothApply() {
    Random random = new Random(5);
    double[] first = IntStream.range(0, 49).mapToDouble(i -> random.nextGaussian()).toArray();
    double[] second =
        IntStream.range(0, 51).mapToDouble(i -> random.nextGaussian() + 0.4).toArray();
    MannWhitney exact = MannWhitney.test(first, second);
    assertTrue(exact.exact());
    double[] oneMore = Arrays.copyOf(second, 52);
    oneMore[51] = second[0];
    MannWhitney approximate = MannWhitney.test(first, oneMore);
    assertFalse(approximate.exact());
    assertEquals(exact.p(), approximate.p(), 0.25 * exact.p());
    double[] same = new double[30];
    assertEquals(1, MannWhitney.test(same, same).p());
  }

  @Test
  void normalTailMatchesTables() {
    assertEquals(1, Normal.twoSidedTail(0), 1e-15);
    assertEquals(0.3173105078629141, Normal.twoSidedTail(1), 1e-14);
    assertEquals(0.04550026389635842, Normal.twoSidedTail(2), 1e-14);
    assertEquals(0.002699796063260207, Normal.twoSidedTail(3), 1e-13);
    assertEquals(5.733031437583866e-7, Normal.twoSidedTail(5), 1e-18);
  }
}
