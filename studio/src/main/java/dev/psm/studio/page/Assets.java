package dev.psm.studio.page;

import dev.psm.studio.web.RequestError;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files of the page, all from the class path: psm's own, and those of the libraries in WebJars.
 * Only what is listed here is given out.
 */
final class Assets {
  private static final Pattern NAME = Pattern.compile("[a-z0-9-]+\\.(js|css|svg)");
  private static final Map<String, String> TYPES =
      Map.of("js", "text/javascript", "css", "text/css", "svg", "image/svg+xml");

  /** Modules of libraries by the name that scripts import them by: WebJar and file in it. */
  private static final Map<String, String[]> MODULES = modules();

  private final Map<String, byte[]> files = new LinkedHashMap<>();
  private final byte[] index;
  private final String policy;

  private static Map<String, String[]> modules() {
    Map<String, String[]> modules = new LinkedHashMap<>();
    modules.put("three", new String[] {"three", "build/three.module.min.js"});
    modules.put("three/orbit", new String[] {"three", "examples/jsm/controls/OrbitControls.js"});
    for (String part :
        new String[] {"state", "view", "commands", "language", "autocomplete", "lint"}) {
      modules.put("@codemirror/" + part, new String[] {"codemirror__" + part, "dist/index.js"});
    }
    modules.put("@lezer/common", new String[] {"lezer__common", "dist/index.js"});
    modules.put("@lezer/highlight", new String[] {"lezer__highlight", "dist/index.js"});
    modules.put("style-mod", new String[] {"style-mod", "src/style-mod.js"});
    modules.put("w3c-keyname", new String[] {"w3c-keyname", "index.js"});
    modules.put("crelt", new String[] {"crelt", "index.js"});
    modules.put(
        "@marijn/find-cluster-break", new String[] {"marijn__find-cluster-break", "src/index.js"});
    return modules;
  }

  Assets() {
    StringBuilder imports = new StringBuilder();
    MODULES.forEach(
        (name, place) -> {
          String file = place[0] + "/" + place[1].substring(place[1].lastIndexOf('/') + 1);
          files.put(file, webJar(place[0], place[1]));
          imports
              .append(imports.isEmpty() ? "" : ",")
              .append("\"%s\":\"/lib/%s\"".formatted(name, file));
        });
    // The minified three.js imports this by a relative path.
    files.put("three/three.core.min.js", webJar("three", "build/three.core.min.js"));
    String map = "{\"imports\":{" + imports + "}}";
    String page = new String(own("index.html"), StandardCharsets.UTF_8);
    index =
        page.replaceFirst(
                "<!-- importmap -->",
                Matcher.quoteReplacement("<script type=\"importmap\">" + map + "</script>"))
            .getBytes(StandardCharsets.UTF_8);
    // CodeMirror writes its styles into the page.
    policy =
        "default-src 'self'; script-src 'self' 'sha256-%s'; style-src 'self' 'unsafe-inline';"
                .formatted(hash(map))
            + " img-src 'self' data: blob:; media-src 'self' blob:; frame-ancestors 'none';"
            + " base-uri 'none'; form-action 'none'";
  }

  void routes(RoutesConfig routes) {
    routes.get("/", this::index);
    routes.get("/page/{file}", this::ownFile);
    routes.get("/lib/{library}/{file}", this::library);
  }

  private void index(Context request) {
    request.header("Content-Security-Policy", policy);
    request.header("X-Content-Type-Options", "nosniff");
    request.header("Referrer-Policy", "no-referrer");
    request.header("Cache-Control", "no-cache");
    request.contentType("text/html; charset=utf-8").result(index);
  }

  private void ownFile(Context request) {
    String name = request.pathParam("file");
    if (!NAME.matcher(name).matches() || Assets.class.getResource(name) == null) {
      throw RequestError.notFound("there is no file '%s'", name);
    }
    give(request, name, own(name), "no-cache");
  }

  private void library(Context request) {
    String name = request.pathParam("library") + "/" + request.pathParam("file");
    byte[] bytes = files.get(name);
    if (bytes == null) {
      throw RequestError.notFound("there is no file '%s'", name);
    }
    give(request, name, bytes, "max-age=86400");
  }

  private static void give(Context request, String name, byte[] bytes, String caching) {
    String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    request.header("X-Content-Type-Options", "nosniff");
    request.header("Cache-Control", caching);
    request.contentType(type + "; charset=utf-8").result(bytes);
  }

  private static byte[] own(String name) {
    return read(Assets.class.getResourceAsStream(name), name);
  }

  private static byte[] webJar(String jar, String file) {
    Properties about = new Properties();
    String properties = "META-INF/maven/org.webjars.npm/" + jar + "/pom.properties";
    ClassLoader loader = Assets.class.getClassLoader();
    try (InputStream in = loader.getResourceAsStream(properties)) {
      if (in == null) {
        throw new IllegalStateException("the library " + jar + " is not on the class path");
      }
      about.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String path =
        "META-INF/resources/webjars/%s/%s/%s".formatted(jar, about.getProperty("version"), file);
    return read(loader.getResourceAsStream(path), path);
  }

  private static byte[] read(InputStream stream, String name) {
    try (InputStream in = stream) {
      if (in == null) {
        throw new IllegalStateException("the file " + name + " is not on the class path");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
