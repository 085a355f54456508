package dev.psm.torch;

import dev.psm.core.UserError;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.pytorch.global.torch;

/**
 * Gives JavaCPP the native libraries of libtorch out of psm's {@link NativeCache}, before it looks
 * for them in its own. Every class here that can be the first to call libtorch asks for that before
 * it does.
 */
public final class NativeLibraries {
  private static final String JAVACPP_CACHE = "org.bytedeco.javacpp.cachedir";
  private static final String BLAS = "org.bytedeco.openblas.load";
  private static final Pattern LIBRARY =
      Pattern.compile("(?:lib)?([^.]+)(?:\\.\\d+)*\\.(?:so|dll|dylib)(?:\\.\\d+)*");

  /** Of MKL's, those that JavaCPP loads in OpenBLAS's stead. */
  private static final Set<String> MKL =
      Set.of(
          "iomp5",
          "iomp5md",
          "mkl_avx2",
          "mkl_avx512",
          "mkl_core",
          "mkl_def",
          "mkl_gnu_thread",
          "mkl_intel_lp64",
          "mkl_intel_thread",
          "mkl_mc3",
          "mkl_rt");

  /** JavaCPP loads MKL a second and a third time, under OpenBLAS's names. */
  private static final Map<String, List<String>> COPIES =
      Map.of(
          "libmkl_rt.so.2", List.of("libopenblas.so.0", "libopenblas_nolapack.so.0"),
          "libopenblas.so.0", List.of("libopenblas_nolapack.so.0"));

  // Found before the property is ours.
  private static final Path ROOT = location();

  private static NativeCache.Listener listener = NativeCache.Listener.SILENT;
  private static NativeCache.ProcessFolder own;
  private static Optional<UserError> failure = Optional.empty();

  private NativeLibraries() {}

  /** Sets who is told what takes long; nobody is, unless this is called before libtorch is. */
  public static synchronized void setListener(NativeCache.Listener told) {
    listener = told;
  }

  /** Unpacks the libraries where that has not been done, and points JavaCPP to them. */
  public static synchronized void prepare() {
    if (failure.isPresent()) {
      throw failure.get();
    }
    if (own == null) {
      try {
        own = cache().open(jars());
      } catch (UserError e) {
        failure = Optional.of(e);
        throw e;
      }
      System.setProperty(JAVACPP_CACHE, own.folder().toString());
    }
  }

  /** Loads libtorch; where that cannot be, the error says why. */
  public static void load() {
    prepare();
    try {
      Loader.load(torch.class);
    } catch (LinkageError e) {
      throw CudaSupport.whyNotLoaded()
          .orElseGet(
              () ->
                  UserError.failed(
                      e,
                      "libtorch cannot be loaded: %s; its build for this machine, which psm-natives"
                          + " brings, must be on the class path",
                      e.getMessage()));
    }
  }

  /**
   * Why the libraries could not be unpacked. It reaches callers as an error in a class's
   * initialisation, from which later callers cannot tell the reason.
   */
  public static synchronized Optional<UserError> failure() {
    return failure;
  }

  /** The cache of this process. */
  public static synchronized NativeCache cache() {
    return new NativeCache(ROOT, listener);
  }

  /** The names in the cache of what this process uses. */
  public static List<String> used() {
    return jars().stream().map(NativeJar::key).toList();
  }

  static Path folder() {
    prepare();
    return own.folder();
  }

  private static Path location() {
    String named = System.getProperty(JAVACPP_CACHE);
    if (named == null) {
      named = System.getenv(NativeCache.VARIABLE);
    }
    if (named != null && !named.isBlank()) {
      return Path.of(named).toAbsolutePath().normalize();
    }
    String caches = System.getenv("XDG_CACHE_HOME");
    // The standard says that a relative one is not valid.
    if (caches != null && Path.of(caches).isAbsolute()) {
      return Path.of(caches, "psm");
    }
    String home = System.getenv("HOME");
    if (home == null || home.isBlank()) {
      home = System.getProperty("user.home");
    }
    return Path.of(home, ".cache", "psm").toAbsolutePath().normalize();
  }

  private static List<NativeJar> jars() {
    String platform = Loader.getPlatform();
    if (System.getProperty(BLAS) == null && isMklThere(platform)) {
      // The OpenBLAS in this libtorch fights its own thread pool: several times slower.
      System.setProperty(BLAS, "mkl");
    }
    String blas = System.getProperty(BLAS, "").toLowerCase(Locale.ROOT);
    boolean mkl = blas.equals("mkl") || blas.equals("mkl_rt");
    boolean gpu = CudaSupport.gpuNatives();
    List<NativeJar> jars = new ArrayList<>();
    add(jars, "javacpp/" + platform, name -> true, "jnijavacpp");
    add(
        jars,
        "openblas/" + platform,
        name -> !name.equals("jniopenblas_full") && !(mkl && name.equals("openblas")),
        "jniopenblas");
    if (mkl) {
      add(jars, "mkl/" + platform, MKL::contains, "iomp5", "libiomp5md");
    }
    add(
        jars,
        "pytorch/" + platform + (gpu ? "-gpu" : ""),
        name -> !name.equals("jnitorch_gloo") && !name.equals("jnitorch_nccl"),
        "jnitorch");
    if (gpu) {
      add(jars, "cuda/" + platform, name -> !name.startsWith("jninpp"), "jnicudart");
    }
    return jars;
  }

  private static boolean isMklThere(String platform) {
    String library = "org/bytedeco/mkl/" + platform + "/" + System.mapLibraryName("iomp5");
    return Loader.class.getClassLoader().getResource(library) != null;
  }

  /**
   * The jar that has one of these libraries in a folder; those that are in no jar need no cache.
   */
  private static void add(
      List<NativeJar> jars, String folder, Predicate<String> wanted, String... oneOf) {
    for (String library : oneOf) {
      String path = "org/bytedeco/" + folder + "/";
      URL found = Loader.class.getClassLoader().getResource(path + System.mapLibraryName(library));
      if (found == null) {
        continue;
      }
      try {
        if (found.openConnection() instanceof JarURLConnection connection) {
          Path jar = Path.of(connection.getJarFileURL().toURI());
          jars.add(NativeJar.open(jar, path, name -> wants(wanted, name), COPIES));
        }
        return;
      } catch (IOException | URISyntaxException e) {
        throw UserError.failed(e, "cannot read the native libraries in %s: %s", found, e);
      }
    }
  }

  private static boolean wants(Predicate<String> wanted, String file) {
    Matcher library = LIBRARY.matcher(file);
    return library.matches() && wanted.test(library.group(1));
  }
}
