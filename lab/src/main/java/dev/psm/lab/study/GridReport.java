package dev.psm.lab.study;

import dev.psm.agents.Agent;
import dev.psm.agents.Agents;
import dev.psm.agents.finite.FiniteModel;
import dev.psm.core.env.GoalOracle;
import dev.psm.core.env.GridMap;
import dev.psm.core.io.Json;
import dev.psm.lab.run.Goals;
import dev.psm.lab.run.Grade;
import dev.psm.lab.run.LearningCurve;
import dev.psm.view.report.BarChart;
import dev.psm.view.report.GridFigure;
import dev.psm.view.report.GridPanel;
import dev.psm.view.report.HtmlReport;
import dev.psm.view.report.LineChart;
import dev.psm.zeroshot.AgentFolder;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The page that shows what agents learned on grids: the paper's Figure 3, its table, and how
 * training went.
 */
public final class GridReport {
  private final List<GridResult> runs;
  private final Map<String, List<GridResult>> byMap = new LinkedHashMap<>();

  public GridReport(List<GridResult> runs) {
    this.runs = runs;
    for (GridResult run : runs) {
      byMap.computeIfAbsent(run.map(), name -> new ArrayList<>()).add(run);
    }
  }

  public void writeTo(Path file) {
    HtmlReport report =
        HtmlReport.titled("Zero-shot policies on grids")
            .lead(
                "Each agent learned from reward-free, uniformly random experience. Then goals were named, and every policy"
                    + " below was read off the finished model with no further experience. During training, PSM's enrichment"
                    + " and FB's and Laplacian's task vectors draw states of the data as goals of their own; on maps this"
                    + " small that reaches most cells, so the value loss on rewards that are not goals is the harder test.");
    report.section("Inferred Q and policy for one goal").figure(qFigure(), qCaption());
    GridTable table = new GridTable(runs);
    report.section("Errors against the shortest paths").table(table.errors());
    report.paragraph(
        "An action is right if it lies on some shortest path; at the goal, if it keeps the agent there. The value loss is for"
            + " rewards that are not goals (random, smooth, and prizes among traps): the share of an optimal policy's gain over"
            + " random actions that is lost.");
    if (runs.stream().map(GridResult::seed).distinct().count() > 1) {
      report.table(table.statistics());
    }
    for (Map.Entry<String, List<GridResult>> entry : byMap.entrySet()) {
      report.figure(
          goalChart(entry.getKey(), entry.getValue()),
          "Error of each of the ten goals drawn by seed "
              + entry.getValue().get(0).seed()
              + ", on "
              + entry.getKey()
              + ".");
    }
    report.section("Learning curves");
    for (Map.Entry<String, List<GridResult>> entry : byMap.entrySet()) {
      report.figure(
          curveChart(entry.getKey(), entry.getValue()),
          "Mean error over all goals during pretraining on "
              + entry.getKey()
              + ", against training time; first seed.");
    }
    report.section("Settings and provenance");
    for (GridResult run : firstSeeds()) {
      report.details(
          "%s on %s, seed %d".formatted(run.agent().title(), run.map(), run.seed()),
          Json.pretty(Json.read(run.folder().resolve(AgentFolder.RUN))));
    }
    report.writeTo(file);
  }

  private List<GridResult> firstSeeds() {
    return runs.stream().filter(run -> run.seed() == runs.get(0).seed()).toList();
  }

  private String qCaption() {
    return "The value max Q(s, a) in every cell and the greedy action, for one goal G, as in the paper's Figure 3: an agent in"
        + " each row, a map in each column. Each row has its own scale. Arrows off every shortest path are marked.";
  }

  /** Agents in rows, maps in columns. */
  public GridFigure qFigure() {
    GridFigure figure = GridFigure.of("").arrowNames("on a shortest path", "wrong");
    for (Agent agent : Agents.all()) {
      List<GridPanel> panels =
          firstSeeds().stream().filter(run -> run.agent() == agent).map(GridReport::panel).toList();
      if (!panels.isEmpty()) {
        figure.row(agent.title(), panels);
      }
    }
    return figure;
  }

  private static GridPanel panel(GridResult run) {
    GridMap map = run.world().map();
    GoalOracle oracle = run.world().goalOracle(run.world().discount());
    int goal = Goals.random(run.world(), 1, run.seed())[0];
    double[][] q;
    try (ZeroShotAgent agent = ZeroShotAgent.load(run.folder())) {
      FiniteModel model = (FiniteModel) agent.model();
      q = model.actionValues(new double[][] {Goals.reward(goal, run.world())})[0];
    }
    int[] greedy = FiniteModel.greedy(q);
    double[][] values = new double[map.height()][map.width()];
    int[][] actions = new int[map.height()][map.width()];
    boolean[][] wrong = new boolean[map.height()][map.width()];
    for (int row = 0; row < map.height(); row++) {
      for (int column = 0; column < map.width(); column++) {
        int state = map.stateAt(row, column);
        values[row][column] = state < 0 ? Double.NaN : q[state][greedy[state]];
        actions[row][column] = state < 0 ? -1 : greedy[state];
        wrong[row][column] = state >= 0 && !oracle.isOptimal(goal, state, greedy[state]);
      }
    }
    String title = "%s, error %.1f %%".formatted(map.name(), oracle.error(goal, greedy));
    return GridPanel.of(title, values).policy(actions, wrong).goal(map.row(goal), map.column(goal));
  }

  private BarChart goalChart(String name, List<GridResult> group) {
    GridResult first = group.get(0);
    int[] goals = Goals.random(first.world(), first.sampledErrors().length, first.seed());
    String[] labels =
        Arrays.stream(goals).mapToObj(first.world()::stateName).toArray(String[]::new);
    BarChart chart = BarChart.of("Error per goal on " + name, "wrong actions, %", labels);
    for (GridResult run : group) {
      if (run.seed() == first.seed()) {
        chart.bars(run.agent().title(), run.sampledErrors());
      }
    }
    return chart;
  }

  private static LineChart curveChart(String name, List<GridResult> group) {
    LineChart chart =
        LineChart.of("Learning on " + name, "training time, s", "wrong actions, all goals, %");
    for (GridResult run : group) {
      if (run.seed() == group.get(0).seed()) {
        chart.series(
            run.agent().title(),
            run.curve().points().stream().mapToDouble(LearningCurve.Point::seconds).toArray(),
            run.curve().points().stream()
                .mapToDouble(point -> point.headline(Grade.ERRORS))
                .toArray());
      }
    }
    return chart;
  }
}
