package dev.psm.studio.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.Agents;
import dev.psm.core.UserError;
import dev.psm.core.env.GridWorld;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.studio.ModelShelf;
import dev.psm.studio.body.BodyApi;
import dev.psm.studio.grid.GridApi;
import dev.psm.studio.runs.RunsApi;
import dev.psm.studio.theory.ToyApi;
import dev.psm.studio.web.Bodies;
import dev.psm.studio.web.WebServer;
import dev.psm.zeroshot.AgentFolder;
import dev.psm.zeroshot.ZeroShotAgent;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The studio as a whole: the page, and what it asks. */
public final class Studio implements AutoCloseable {
  private final ModelShelf shelf;
  private final BodyApi bodies;
  private final GridApi grids;
  private final RunsApi runs;
  private final WebServer server;

  /**
   * Starts it; the shelf is closed with it.
   *
   * @param runs where runs are looked for
   * @param made where runs of its own go
   */
  public Studio(ModelShelf shelf, WebServer.Settings settings, List<Path> runs, Path made) {
    this.shelf = shelf;
    this.bodies = new BodyApi(shelf);
    this.runs = new RunsApi(runs, made);
    this.grids = new GridApi(shelf, made);
    this.server = new WebServer(settings, this::routes);
  }

  private void routes(RoutesConfig routes) {
    new Assets().routes(routes);
    grids.routes(routes);
    runs.routes(routes);
    new ToyApi().routes(routes);
    routes.get("/api/about", this::about);
    routes.get("/api/models", this::models);
    bodies.routes(routes);
  }

  private void about(Context request) {
    String version =
        Optional.ofNullable(Studio.class.getPackage().getImplementationVersion())
            .orElse("development");
    Bodies.answer(request, Json.object().put("version", "psm " + version));
  }

  private void models(Context request) {
    ObjectNode document = Json.object();
    ArrayNode models = document.putArray("models");
    for (ModelShelf.Entry entry : shelf.entries()) {
      ObjectNode model = models.addObject().put("id", entry.id());
      try {
        World world = entry.world();
        String agent =
            JsonField.read(
                    AgentFolder.open(entry.folder()).agent().resolve(ZeroShotAgent.DESCRIPTION))
                .get("agent")
                .text();
        model
            .put("agent", agent)
            .put("title", Agents.named(agent, world).title())
            .put("world", world.name())
            .put("worldTitle", world.title())
            .put("kind", world instanceof GridWorld ? "grid" : "body");
      } catch (UserError broken) {
        model.put("error", broken.getMessage());
      }
    }
    Bodies.answer(request, document);
  }

  public String address() {
    return server.address();
  }

  @Override
  public void close() {
    server.close();
    bodies.close();
    grids.close();
    shelf.close();
  }
}
