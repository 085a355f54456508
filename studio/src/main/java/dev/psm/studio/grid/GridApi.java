package dev.psm.studio.grid;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.Agent;
import dev.psm.agents.Agents;
import dev.psm.core.UserError;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridWorld;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.studio.ModelShelf;
import dev.psm.studio.web.Bodies;
import dev.psm.studio.web.Broadcast;
import dev.psm.studio.web.RequestError;
import dev.psm.zeroshot.AgentFolder;
import dev.psm.zeroshot.ZeroShotAgent;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.nio.file.Path;
import java.util.function.Function;

/** The requests of the grids' view. */
public final class GridApi implements AutoCloseable {
  private final ModelShelf shelf;
  private final Path folder;
  private final GridSolver solver;
  private final GridInsight insight;
  private final Broadcast broadcast = new Broadcast(this::jobs);
  private final GridPretraining pretraining;

  /**
   * @param folder where agents that are pretrained here go
   */
  public GridApi(ModelShelf shelf, Path folder) {
    this.shelf = shelf;
    this.folder = folder;
    this.solver = new GridSolver(shelf);
    this.insight = new GridInsight(solver);
    this.pretraining = new GridPretraining(shelf, folder, broadcast::changed);
  }

  public void routes(RoutesConfig routes) {
    routes.get("/api/grids", request -> Bodies.answer(request, overview()));
    post(routes, "check", GridApi::check);
    post(routes, "formula", GridApi::formula);
    post(routes, "solve", solver::solve);
    post(routes, "basis", insight::basis);
    post(routes, "measure", insight::measure);
    post(routes, "pretrain", this::pretrain);
    post(routes, "stop", this::stop);
    routes.ws("/api/grids/jobs", broadcast::listen);
  }

  private static void post(
      RoutesConfig routes, String name, Function<GridQuestion, ? extends JsonNode> work) {
    routes.post(
        "/api/grids/" + name,
        (Context request) -> Bodies.answer(request, work.apply(new GridQuestion(request))));
  }

  static ObjectNode map(GridMap map) {
    ObjectNode node = Json.object().put("name", map.name());
    ArrayNode lines = node.putArray("lines");
    map.lines().forEach(lines::add);
    return node;
  }

  private ObjectNode overview() {
    ObjectNode answer = Json.object().put("folder", folder.toString());
    // Before the agents: what ends meanwhile is told to be under way, and then that it ended.
    answer.set("jobs", pretraining.describe());
    ArrayNode maps = answer.putArray("maps");
    GridMap.NAMES.forEach(name -> maps.add(map(GridMap.named(name))));
    ArrayNode learners = answer.putArray("learners");
    for (Agent agent : Agents.learning(new GridWorld(GridMap.named(GridMap.NAMES.get(0))))) {
      learners
          .addObject()
          .put("id", agent.id())
          .put("title", agent.title())
          .put("summary", agent.summary());
    }
    ArrayNode agents = answer.putArray("agents");
    for (ModelShelf.Entry entry : shelf.entries()) {
      try {
        describe(entry, agents);
      } catch (UserError broken) {
        // The list of all agents tells it.
      }
    }
    return answer;
  }

  private static void describe(ModelShelf.Entry entry, ArrayNode agents) {
    if (!(entry.world() instanceof GridWorld world)) {
      return;
    }
    Path file = AgentFolder.open(entry.folder()).agent().resolve(ZeroShotAgent.DESCRIPTION);
    String id = JsonField.read(file).get("agent").text();
    agents
        .addObject()
        .put("id", entry.id())
        .put("agent", id)
        .put("title", Agents.named(id, world).title())
        .put("folder", shown(entry.folder()))
        .set("map", map(world.map()));
  }

  /** As somebody in the folder where psm runs would type it. */
  private static String shown(Path path) {
    Path here = Path.of("").toAbsolutePath();
    return (path.startsWith(here) ? here.relativize(path) : path).toString();
  }

  private ObjectNode jobs() {
    ObjectNode node = Json.object();
    node.set("jobs", pretraining.describe());
    return node;
  }

  /** Reads a map from text as files of maps are read. */
  private static ObjectNode check(GridQuestion question) {
    GridWorld world =
        GridQuestion.world(question.field("name").text(), question.field("text").textOrBlank());
    return map(world.map()).put("states", world.stateCount());
  }

  /** What a formula pays in every free cell. */
  private static ObjectNode formula(GridQuestion question) {
    GridWorld world = question.world();
    double[] rewards =
        world
            .allStates()
            .orElseThrow()
            .rewards(world.taskOrFormula(question.field("formula").text()));
    ObjectNode answer = Json.object();
    GridSolver.numbers(answer.putArray("reward"), rewards);
    return answer;
  }

  private ObjectNode pretrain(GridQuestion question) {
    GridWorld world = question.world();
    Agent agent = Agents.named(question.field("agent").text(), world);
    return pretraining.ask(world, agent);
  }

  private ObjectNode stop(GridQuestion question) {
    int number = question.field("job").integer(1, Integer.MAX_VALUE);
    if (!pretraining.stop(number)) {
      throw RequestError.notFound("no pretraining with the number %d is under way", number);
    }
    return Json.object().put("job", number);
  }

  @Override
  public void close() {
    pretraining.close();
    broadcast.close();
  }
}
