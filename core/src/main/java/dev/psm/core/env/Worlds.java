package dev.psm.core.env;

import dev.psm.core.Nearest;
import dev.psm.core.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/**
 * Every world there is: those of psm and those of users, found by {@link ServiceLoader} on the
 * class path and in plugins.
 */
public final class Worlds {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]*");

  /** The name of their class loader, which stack traces tell. */
  private static final String PLUGINS = "plugins";

  private static final List<Path> ADDED = new ArrayList<>();
  private static ClassLoader loader = Worlds.class.getClassLoader();
  private static List<WorldSource> sources;
  private static Map<String, World> worlds;

  private Worlds() {}

  /**
   * Also looks for worlds in these jars, folders of classes, and folders of jars.
   *
   * @throws UserError where one of them is missing, is none of these, or holds a world that cannot
   *     be used; then none of them is added
   */
  public static synchronized void addPlugins(List<Path> plugins) {
    List<URL> urls = new ArrayList<>();
    for (Path plugin : plugins) {
      for (Path part : parts(plugin)) {
        try {
          urls.add(part.toUri().toURL());
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    ClassLoader before = loader;
    loader = new URLClassLoader(PLUGINS, urls.toArray(URL[]::new), before);
    reload();
    boolean usable = false;
    try {
      byName();
      usable = true;
      plugins.forEach(plugin -> ADDED.add(plugin.toAbsolutePath().normalize()));
    } catch (UserError e) {
      throw e;
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      throw UserError.invalid(
          "a plugin cannot be used, for %s failed: %s",
          pluginIn(e).orElse("one of its classes"), reason(e));
    } finally {
      if (!usable) {
        loader = before;
        reload();
      }
    }
  }

  /** All that were added, for another process that needs the same worlds. */
  public static synchronized List<Path> plugins() {
    return List.copyOf(ADDED);
  }

  private static void reload() {
    sources = null;
    worlds = null;
  }

  /** The class of a plugin in which something went wrong, if it was one. */
  public static Optional<String> pluginIn(Throwable failure) {
    return placeInPlugin(failure).map(StackTraceElement::getClassName);
  }

  /** The last line of a plugin's that was reached before something went wrong. */
  public static Optional<StackTraceElement> placeInPlugin(Throwable failure) {
    return Arrays.stream(failure.getStackTrace())
        .filter(frame -> PLUGINS.equals(frame.getClassLoaderName()))
        .findFirst();
  }

  private static List<Path> parts(Path plugin) {
    if (Files.isRegularFile(plugin) && plugin.toString().endsWith(".jar")) {
      return List.of(readable(plugin));
    }
    if (!Files.isDirectory(plugin)) {
      throw UserError.invalid(
          "%s: expected a jar, a folder of jars or a folder of classes, found %s",
          plugin, Files.exists(plugin) ? "another file" : "nothing");
    }
    try (Stream<Path> files = Files.list(plugin)) {
      List<Path> jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
      if (!jars.isEmpty()) {
        jars.forEach(Worlds::readable);
        return jars;
      }
    } catch (IOException e) {
      throw UserError.failed(e, "cannot read the folder %s: %s", plugin, e.getMessage());
    }
    if (!Files.isDirectory(plugin.resolve("META-INF"))) {
      throw UserError.invalid(
          "%s holds neither jars nor classes with a META-INF/services folder", plugin);
    }
    return List.of(plugin);
  }

  /** Class loaders pass over what they cannot read, and then there merely is no such world. */
  private static Path readable(Path jar) {
    try (ZipFile opened = new ZipFile(jar.toFile())) {
      return jar;
    } catch (IOException e) {
      throw UserError.invalid("%s cannot be read as a jar: %s", jar, e.getMessage());
    }
  }

  /** All that need no file, psm's own first. */
  public static List<World> all() {
    return List.copyOf(byName().values());
  }

  /** The world of that name, or the one that a file of that name describes. */
  public static World named(String name) {
    return lookup(name)
        .orElseThrow(
            () ->
                UserError.invalid(
                    "there is no environment '%s', nor a file of that name; %s",
                    name, Nearest.hint(name, byName().keySet())));
  }

  /** The same, where there may be none. */
  public static Optional<World> lookup(String name) {
    return find(name).or(() -> file(name).map(Worlds::read));
  }

  /**
   * The world of data or of a model: the one that is known here by its {@link World#reference}, or
   * else the one that its file describes.
   *
   * @param described empty in files from before there was such a description
   * @throws UserError where the one known here is not as described, or where there is none at all
   */
  public static World resolve(String reference, Optional<StoredWorld> described) {
    if (described.isEmpty()) {
      return named(reference);
    }
    StoredWorld stored = described.get();
    if (stored.definition().isPresent()) {
      return define(stored, stored.definition().get());
    }
    // A file that happens to have a world's name does not describe it.
    Optional<World> known =
        reference.equals(stored.name())
            ? find(reference)
            // Files are moved, but another name than the world's own is a mistake if nobody has it.
            : NAME.matcher(reference).matches() ? Optional.of(named(reference)) : lookup(reference);
    known.ifPresent(stored::requireSame);
    return known.orElse(stored);
  }

  private static World define(StoredWorld stored, World.Definition definition) {
    World world =
        sources().stream()
            .flatMap(source -> source.define(definition, stored.name()).stream())
            .findFirst()
            .map(WorldCheck::checked)
            .orElse(stored);
    stored.requireSame(world);
    return world;
  }

  /** The world of that name or alias, without looking for files. */
  public static Optional<World> find(String name) {
    World world = byName().get(name);
    return world != null
        ? Optional.of(world)
        : all().stream().filter(each -> each.aliases().contains(name)).findFirst();
  }

  /** The world that a file describes. */
  public static World read(Path file) {
    WorldSource reader =
        sources().stream()
            .filter(source -> source.reads(file))
            .findFirst()
            .orElseThrow(
                () -> UserError.invalid("%s: no kind of world is read from such a file", file));
    return WorldCheck.checked(reader.read(file));
  }

  private static Optional<Path> file(String name) {
    try {
      return Optional.of(Path.of(name)).filter(Files::isRegularFile);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static synchronized List<WorldSource> sources() {
    if (sources == null) {
      List<WorldSource> found = new ArrayList<>();
      // Its maps may have any name, so it is asked last.
      WorldSource grids = new GridWorld.Source();
      load(WorldSource.class, found);
      found.add(grids);
      sources = List.copyOf(found);
    }
    return sources;
  }

  private static synchronized Map<String, World> byName() {
    if (worlds == null) {
      List<World> found = new ArrayList<>();
      sources().forEach(source -> found.addAll(source.worlds()));
      load(World.class, found);
      Map<String, World> named = new LinkedHashMap<>();
      for (World world : found) {
        String name = world.name();
        if (name == null || !NAME.matcher(name).matches()) {
          throw UserError.invalid(
              "a world's name has letters, digits, underscores and dashes; %s calls itself '%s'",
              world.getClass().getName(), name);
        }
        WorldCheck.checked(world);
        World other = named.putIfAbsent(name, world);
        if (other != null) {
          throw UserError.invalid(
              "two worlds are called '%s', one of %s and one of %s; rename yours",
              name, other.getClass().getName(), world.getClass().getName());
        }
      }
      worlds = named;
    }
    return worlds;
  }

  private static <T> void load(Class<T> service, List<T> found) {
    try {
      ServiceLoader.load(service, loader).forEach(found::add);
    } catch (ServiceConfigurationError e) {
      throw UserError.invalid(
          "a plugin cannot be used: META-INF/services/%s%s%s",
          e.getMessage(),
          e.getCause() == null ? "" : ": ",
          e.getCause() == null ? "" : reason(e.getCause()));
    } catch (UnsupportedClassVersionError e) {
      throw UserError.invalid(
          "a plugin cannot be used, for it is compiled for a newer Java than this one, %d (%s);"
              + " compile it with --release 17",
          Runtime.version().feature(), e.getMessage());
    } catch (LinkageError e) {
      throw UserError.invalid(
          "a plugin cannot be used, for a class that it needs is missing or of another version: %s",
          reason(e));
    }
  }

  private static String reason(Throwable failure) {
    return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
  }
}
