package dev.psm.view.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A report with one of everything, to look at: {@code SampleReport out.html}. */
final class SampleReport {
  private SampleReport() {}

  public static void main(String[] arguments) {
    build().writeTo(Path.of(arguments[0]));
  }

  static HtmlReport build() {
    String[] tasks = {"walk", "run", "stand", "flip", "goal top left"};
    return HtmlReport.titled("Zero-shot control on four domains")
        .lead(
            "One pretrained basis solves every task below without further training; the policy for a"
                + " new reward takes 40 ms.")
        .section("Learning curves")
        .paragraph("Each curve is the mean over five seeds; the band is one standard deviation.")
        .figure(curves(), "Return on the walk task during pretraining.")
        .section("Tasks")
        .figure(
            BarChart.of("Return per task", "return (0–1000)", tasks)
                .bars("PSM", new double[] {900, 450, 940, 610, 88})
                .bars("FB", new double[] {760, 380, 910, 480, 90})
                .bars("Laplacian", new double[] {620, 210, Double.NaN, 330, -40}),
            "Mean over five seeds.")
        .table(
            Table.of("Return per task, mean ± standard deviation.", "task", "PSM", "FB", "seeds")
                .row(
                    Table.text("walk"),
                    Table.spread(900.2, 30, 1),
                    Table.spread(760, 50, 1),
                    Table.number(5, 0))
                .row(
                    Table.text("run"),
                    Table.spread(450, 60, 1),
                    Table.spread(480.25, 20.04, 1),
                    Table.number(5, 0))
                .row(
                    Table.text("<flip>"),
                    Table.number(-610, 1),
                    Table.number(Double.NaN, 1),
                    Table.number(5, 0)))
        .figure(
            BarChart.of(
                    "A title that is far too long for one line because somebody wrote a whole sentence"
                        + " about what the figure shows",
                    "seconds",
                    "cheetah run backward",
                    "quadruped jump",
                    "walker stand and wave",
                    "pointmass reach top left",
                    "walker flip",
                    "cheetah walk")
                .bars("PSM", new double[] {1, 2, 3, 4, 5, 6}),
            "Slanted labels.")
        .section("Grids")
        .figure(grids(), "Values and greedy policies for three goals.")
        .section("Provenance")
        .details("Settings", "{\n  \"seed\" : 1,\n  \"discount\" : 0.98\n}")
        .details("Data", "sha256 ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  }

  private static LineChart curves() {
    LineChart chart =
        LineChart.of("Return during pretraining", "gradient steps", "return (0–1000)");
    String[] names = {"PSM (ours)", "Forward-backward", "Laplacian", "HILP"};
    Random random = new Random(1);
    for (int s = 0; s < names.length; s++) {
      int count = 60;
      double[] x = new double[count];
      double[] y = new double[count];
      double[] spread = new double[count];
      for (int i = 0; i < count; i++) {
        x[i] = i * 20_000;
        double growth = 1 - Math.exp(-i / (8.0 + 5 * s));
        y[i] = 900 * growth + 15 * random.nextGaussian();
        spread[i] = 20 + 10 * s;
      }
      chart.band(names[s], x, y, spread);
    }
    return chart;
  }

  private static GridFigure grids() {
    GridFigure figure = GridFigure.of("Values and policies on the four rooms");
    String[] methods = {"Proto successor", "Forward-backward", "Laplacian"};
    int[][] goals = {{1, 1}, {9, 9}, {3, 8}};
    for (int m = 0; m < methods.length; m++) {
      List<GridPanel> panels = new ArrayList<>();
      for (int[] goal : goals) {
        double[][] values = new double[11][11];
        int[][] actions = new int[11][11];
        boolean[][] wrong = new boolean[11][11];
        for (int r = 0; r < 11; r++) {
          for (int c = 0; c < 11; c++) {
            boolean border = r == 0 || c == 0 || r == 10 || c == 10;
            boolean inner = (r == 5 && c != 2 && c != 7) || (c == 5 && r != 2 && r != 8);
            int distance = Math.abs(r - goal[0]) + Math.abs(c - goal[1]);
            values[r][c] = border || inner ? Double.NaN : Math.pow(0.85, distance) * (m + 1);
            actions[r][c] =
                r > goal[0]
                    ? GridPanel.UP
                    : c < goal[1]
                        ? GridPanel.RIGHT
                        : r < goal[0]
                            ? GridPanel.DOWN
                            : c > goal[1] ? GridPanel.LEFT : GridPanel.STAY;
            wrong[r][c] = (r * 7 + c * 3 + m) % 5 < m;
            if ((r + c) % 9 == 0) {
              actions[r][c] = GridPanel.STAY;
            }
          }
        }
        panels.add(
            GridPanel.of("goal (%d, %d)".formatted(goal[0], goal[1]), values)
                .policy(actions, wrong)
                .goal(goal[0], goal[1]));
      }
      figure.row(methods[m], panels);
    }
    return figure;
  }
}
