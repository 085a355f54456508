package dev.psm.view.render;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.metadata.IIOMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

final class GifWriterTest {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 63, 64, 127, 128, 200, 254, 255})
  void noiseOfFewColoursComesBackExactly(int colours) throws IOException {
    // Noise runs through every code width and, being long, through several full tables.
    RandomGenerator random = Seeds.generator(colours);
    int[] palette = random.ints(colours, 0, 1 << 24).toArray();
    List<Image> frames = new ArrayList<>();
    for (int frame = 0; frame < 3; frame++) {
      Image image = new Image(131, 97);
      for (int i = 0; i < image.pixels().length; i++) {
        image.pixels()[i] = palette[random.nextInt(colours)];
      }
      frames.add(image);
    }
    assertSame(frames, decode(encode(frames)), 0);
  }

  @Test
  void everyLengthOfARunComesBackExactly() throws IOException {
    // The end of the data meets every state of the code table, its growth steps among them.
    RandomGenerator random = Seeds.generator(8);
    for (int width = 1; width <= 700; width++) {
      Image image = new Image(width, 1);
      for (int x = 0; x < width; x++) {
        image.set(x, 0, random.nextInt(4) * 0x3f3f3f);
      }
      assertSame(List.of(image), decode(encode(List.of(image))), 0);
    }
    for (int width = 3700; width <= 4300; width += 7) {
      Image image = new Image(width, 1);
      for (int x = 0; x < width; x++) {
        image.set(x, 0, random.nextInt(250));
      }
      assertSame(List.of(image), decode(encode(List.of(image))), 0);
    }
  }

  @Test
  void framesThatStandStillOrMoveALittle() throws IOException {
    List<Image> frames = new ArrayList<>();
    for (int frame = 0; frame < 6; frame++) {
      Image image = new Image(40, 30);
      image.set(10 + frame / 2, 20, 0xff8000);
      image.set(39, 29, 0x0000ff);
      frames.add(image);
    }
    byte[] film = encode(frames);
    assertSame(frames, decode(film), 0);
    assertTrue(film.length < encode(frames.subList(0, 1)).length + 5 * 60, "" + film.length);
  }

  @Test
  void oneByOne() throws IOException {
    Image image = new Image(1, 1);
    image.set(0, 0, 0x123456);
    assertSame(List.of(image), decode(encode(List.of(image))), 0);
  }

  @Test
  void aRenderedFilmStaysWithinTheErrorOfItsPalette() throws IOException {
    List<Image> frames = new ArrayList<>();
    Renderer renderer = new Renderer(160, 120);
    for (int i = 0; i < 8; i++) {
      SampleScenes.Sample scene = SampleScenes.walker(0.1 * i);
      frames.add(renderer.render(scene.shapes(), scene.camera(), scene.look()));
    }
    List<int[]> decoded = decode(encode(frames));
    assertSame(frames, decoded, 40);
    for (int i = 0; i < frames.size(); i++) {
      assertTrue(meanError(frames.get(i).pixels(), decoded.get(i)) < 2.5);
    }
  }

  @Test
  void coloursThatAppearLateGetAPaletteOfTheirOwn() throws IOException {
    int width = 150;
    int height = 100;
    List<Image> frames = new ArrayList<>();
    for (int frame = 0; frame < 7; frame++) {
      Image image = new Image(width, height);
      for (int i = 0; i < image.pixels().length; i++) {
        int level = i % width * 255 / width;
        int other = i / width * 255 / height;
        image.pixels()[i] = frame < 5 ? level << 16 | other << 8 : other << 8 | level;
      }
      frames.add(image);
    }
    List<int[]> decoded = decode(encode(frames, 5 * width * height));
    for (int i = 0; i < frames.size(); i++) {
      double error = meanError(frames.get(i).pixels(), decoded.get(i));
      assertTrue(error < 10, "frame " + i + ": " + error);
    }
  }

  @Test
  void aFewLateColoursAreKeptExactly() throws IOException {
    int side = 13;
    List<Image> frames = new ArrayList<>();
    for (int frame = 0; frame < 6; frame++) {
      Image image = new Image(side, side);
      image.set(frame, 3, 0x010203 * (frame + 1));
      frames.add(image);
    }
    assertSame(frames, decode(encode(frames, 2 * side * side)), 0);
  }

  @Test
  void theFilmLoopsAndEachFrameHasItsDelay() throws IOException {
    List<Image> frames = List.of(new Image(4, 4), new Image(4, 4));
    byte[] film = encode(frames);
    String text = new String(film, StandardCharsets.ISO_8859_1);
    assertTrue(text.startsWith("GIF89a"));
    assertTrue(text.contains("NETSCAPE2.0\u0003\u0001\u0000\u0000\u0000"));
    ImageReader reader = ImageIO.getImageReadersByFormatName("gif").next();
    reader.setInput(ImageIO.createImageInputStream(new ByteArrayInputStream(film)));
    for (int i = 0; i < 2; i++) {
      assertEquals(
          "7", attribute(reader.getImageMetadata(i), "GraphicControlExtension", "delayTime"));
    }
  }

  @Test
  void aFilmThatFailsLeavesTheOldFile() throws IOException {
    Path file = directory.resolve("films/walk.gif");
    GifWriter.save(file, 4, 4, 5, gif -> gif.add(new Image(4, 4)));
    byte[] old = Files.readAllBytes(file);
    assertThrows(
        ArithmeticException.class,
        () ->
            GifWriter.save(
                file,
                4,
                4,
                5,
                gif -> {
                  gif.add(new Image(4, 4));
                  throw new ArithmeticException("the physics broke");
                }));
    assertArrayEquals(old, Files.readAllBytes(file));
    assertThrows(IllegalStateException.class, () -> GifWriter.save(file, 4, 4, 5, gif -> {}));
    try (Stream<Path> files = Files.list(file.getParent())) {
      assertEquals(List.of(file), files.toList());
    }
  }

  @Test
  void mistakesAreNamed() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    UserError delay = assertThrows(UserError.class, () -> new GifWriter(out, 4, 4, 1));
    assertTrue(delay.getMessage().contains("2 to 65535 hundredths of a second, not 1"));
    UserError size = assertThrows(UserError.class, () -> new GifWriter(out, 0, 70000, 5));
    assertTrue(size.getMessage().contains("not 0 x 70000"));
    GifWriter gif = new GifWriter(out, 4, 4, 5);
    IllegalArgumentException misfit =
        assertThrows(IllegalArgumentException.class, () -> gif.add(new Image(4, 5)));
    assertTrue(misfit.getMessage().contains("4 x 5"));
    gif.add(new Image(4, 4));
    gif.close();
    gif.close();
    assertThrows(IllegalStateException.class, () -> gif.add(new Image(4, 4)));
  }

  private static byte[] encode(List<Image> frames) throws IOException {
    return encode(frames, Integer.MAX_VALUE);
  }

  private static byte[] encode(List<Image> frames, int heldPixels) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Image first = frames.get(0);
    try (GifWriter gif = new GifWriter(out, first.width(), first.height(), 7, heldPixels)) {
      for (Image frame : frames) {
        gif.add(frame);
      }
    }
    return out.toByteArray();
  }

  /** What a viewer shows at each frame: every frame laid over those before it. */
  private static List<int[]> decode(byte[] film) throws IOException {
    ImageReader reader = ImageIO.getImageReadersByFormatName("gif").next();
    reader.setInput(ImageIO.createImageInputStream(new ByteArrayInputStream(film)));
    int count = reader.getNumImages(true);
    Element screen = (Element) reader.getStreamMetadata().getAsTree("javax_imageio_gif_stream_1.0");
    Element size = (Element) screen.getElementsByTagName("LogicalScreenDescriptor").item(0);
    int width = Integer.parseInt(size.getAttribute("logicalScreenWidth"));
    int height = Integer.parseInt(size.getAttribute("logicalScreenHeight"));
    int[] shown = new int[width * height];
    List<int[]> frames = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      var part = reader.read(i);
      IIOMetadata data = reader.getImageMetadata(i);
      int left = Integer.parseInt(attribute(data, "ImageDescriptor", "imageLeftPosition"));
      int top = Integer.parseInt(attribute(data, "ImageDescriptor", "imageTopPosition"));
      for (int y = 0; y < part.getHeight(); y++) {
        for (int x = 0; x < part.getWidth(); x++) {
          int argb = part.getRGB(x, y);
          if (argb >>> 24 != 0) {
            shown[(top + y) * width + left + x] = argb & 0xffffff;
          }
        }
      }
      frames.add(shown.clone());
    }
    return frames;
  }

  private static String attribute(IIOMetadata data, String element, String name) {
    Node root = data.getAsTree("javax_imageio_gif_image_1.0");
    return ((Element) ((Element) root).getElementsByTagName(element).item(0)).getAttribute(name);
  }

  private static void assertSame(List<Image> frames, List<int[]> decoded, int tolerance) {
    assertEquals(frames.size(), decoded.size());
    for (int i = 0; i < frames.size(); i++) {
      int[] expected = frames.get(i).pixels();
      int[] found = decoded.get(i);
      for (int p = 0; p < expected.length; p++) {
        if (channelError(expected[p], found[p]) > tolerance) {
          assertEquals(
              Integer.toHexString(expected[p]),
              Integer.toHexString(found[p]),
              "frame " + i + ", pixel " + p);
        }
      }
    }
  }

  private static double meanError(int[] expected, int[] found) {
    double sum = 0;
    for (int i = 0; i < expected.length; i++) {
      sum += channelError(expected[i], found[i]);
    }
    return sum / expected.length;
  }

  private static int channelError(int a, int b) {
    int error = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
      error = Math.max(error, Math.abs((a >> shift & 0xff) - (b >> shift & 0xff)));
    }
    return error;
  }
}
