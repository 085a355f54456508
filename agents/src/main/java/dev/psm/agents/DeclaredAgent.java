package dev.psm.agents;

/** The names of an agent, as its declaration gives them. */
public abstract class DeclaredAgent<S extends Record & AgentSettings> implements Agent {
  private final String id;
  private final String title;
  private final Class<S> settingsType;

  protected DeclaredAgent(String id, String title, Class<S> settingsType) {
    this.id = id;
    this.title = title;
    this.settingsType = settingsType;
  }

  @Override
  public final String id() {
    return id;
  }

  @Override
  public final String title() {
    return title;
  }

  @Override
  public final Class<S> settingsType() {
    return settingsType;
  }

  @Override
  public final String toString() {
    return id;
  }
}
