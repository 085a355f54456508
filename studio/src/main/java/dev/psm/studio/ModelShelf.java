package dev.psm.studio;

import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.zeroshot.AgentFolder;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The agents that can be asked, by a short name each; loaded when somebody first asks for one. Any
 * number of threads may use it.
 */
public final class ModelShelf implements AutoCloseable {
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  /** A folder with an agent. */
  public static final class Entry {
    private final String id;
    private final Path folder;
    private ZeroShotAgent agent;
    private boolean closed;

    private Entry(String id, Path folder) {
      this.id = id;
      this.folder = folder;
    }

    /** What it is called in addresses: letters, digits, dots, underscores and dashes. */
    public String id() {
      return id;
    }

    public Path folder() {
      return folder;
    }

    /** From the description alone. */
    public World world() {
      return AgentFolder.open(folder).world();
    }

    /** Loads it on first use. */
    public synchronized ZeroShotAgent agent() {
      if (closed) {
        throw new IllegalStateException("the server is stopping");
      }
      if (agent == null) {
        agent = ZeroShotAgent.load(folder);
      }
      return agent;
    }

    private synchronized void close() {
      closed = true;
      if (agent != null) {
        agent.close();
        agent = null;
      }
    }
  }

  /** Adds the agent of a folder, or finds it; refuses a folder without one. */
  public synchronized Entry add(Path folder) {
    Path place = folder.toAbsolutePath().normalize();
    for (Entry entry : entries.values()) {
      if (entry.folder.equals(place)) {
        return entry;
      }
    }
    AgentFolder.open(place);
    Entry entry = new Entry(freeId(place), place);
    entries.put(entry.id, entry);
    return entry;
  }

  /** The folder's own name; its parent's before it, then a number, where that is taken. */
  private String freeId(Path folder) {
    String name = plain(folder.getFileName());
    List<String> candidates = new ArrayList<>(List.of(name));
    if (folder.getParent() != null && folder.getParent().getFileName() != null) {
      candidates.add(plain(folder.getParent().getFileName()) + "-" + name);
    }
    for (int number = 2; number < 10_000; number++) {
      candidates.add(name + "-" + number);
    }
    return candidates.stream()
        .filter(each -> !entries.containsKey(each))
        .findFirst()
        .orElseThrow(() -> UserError.invalid("too many agents are called '%s'", name));
  }

  private static String plain(Path name) {
    String text = name.toString().replaceAll("[^A-Za-z0-9._-]", "-");
    return text.startsWith(".") ? "-" + text : text;
  }

  public synchronized List<Entry> entries() {
    return List.copyOf(entries.values());
  }

  public synchronized Optional<Entry> find(String id) {
    return Optional.ofNullable(entries.get(id));
  }

  @Override
  public synchronized void close() {
    entries.values().forEach(Entry::close);
  }
}
