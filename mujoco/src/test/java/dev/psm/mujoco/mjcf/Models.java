package dev.psm.mujoco.mjcf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.reward.Quantity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Model files for tests, and how to read them. */
final class Models {
  /** A cart on a rail with a pole, driven through a filter, and a ball that lies about. */
  static final String CART =
      """
      <mujoco>
        <option timestep="0.005"/>
        <worldbody>
          <geom type="plane" size="4 4 0.1"/>
          <body name="cart" pos="0 0 0.5">
            <joint name="rail" type="slide" axis="1 0 0" limited="true" range="-1 1"/>
            <geom type="box" size="0.1 0.1 0.05" mass="1" contype="0" conaffinity="0"/>
            <site name="cart"/>
            <body name="pole">
              <joint name="pole" axis="0 1 0"/>
              <geom type="capsule" fromto="0 0 0 0 0 0.4" size="0.02" mass="0.1" contype="0" conaffinity="0"/>
            </body>
          </body>
          <body name="ball" pos="0.5 0.5 0.1">
            <freejoint name="ball"/>
            <geom size="0.1" mass="0.1"/>
            <site name="skin" size="0.12"/>
          </body>
        </worldbody>
        <actuator>
          <motor name="push" joint="rail" gear="5" ctrllimited="true" ctrlrange="-1 3"/>
          <general name="turn" joint="pole" dyntype="filter" dynprm="0.1" ctrllimited="true" ctrlrange="-1 1"/>
        </actuator>
        %s
      </mujoco>
      """;

  /** Of every stage that the engine computes sensors in, and the time. */
  static final String SENSORS =
      """
      <sensor>
        <jointpos name="pole angle" joint="pole"/>
        <jointvel joint="rail"/>
        <accelerometer name="felt" site="cart"/>
        <touch name="2nd-touch" site="skin"/>
        <clock name="time"/>
        <framepos name="exp" objtype="body" objname="ball"/>
        <jointpos name="rail_position" joint="rail"/>
        <actuatorfrc name="effort" actuator="push"/>
      </sensor>
      """;

  private Models() {}

  static World cart(Path folder, String parts) {
    return read(write(folder, "cart.xml", CART.formatted(parts)));
  }

  static World cart(Path folder, String parts, String json) {
    write(folder, "cart.psm.json", json);
    return cart(folder, parts);
  }

  static Path write(Path folder, String name, String text) {
    try {
      return Files.writeString(folder.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As every command finds it. */
  static World read(Path file) {
    return Worlds.named(file.toString());
  }

  static List<String> names(World world) {
    return world.quantities().stream().map(Quantity::name).toList();
  }

  /** A mistake of the user's, told with the file's name. */
  static String assertRefused(String file, Runnable use, String... words) {
    UserError error = assertThrows(UserError.class, use::run);
    assertEquals(UserError.Kind.INVALID, error.kind());
    assertTrue(error.getMessage().contains(file), error.getMessage());
    for (String word : words) {
      assertTrue(error.getMessage().contains(word), "'" + word + "' in " + error.getMessage());
    }
    return error.getMessage();
  }
}
