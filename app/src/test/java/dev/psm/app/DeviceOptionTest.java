package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.torch.Device;
import dev.psm.torch.Precision;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class DeviceOptionTest {
  private static DeviceOption option(String problem, String... arguments) {
    return optionWith(null, problem, arguments);
  }

  private static DeviceOption optionWith(String variable, String problem, String... arguments) {
    DeviceOption option =
        new DeviceOption(() -> Optional.ofNullable(problem), () -> true, variable);
    new CommandLine(option).parseArgs(arguments);
    return option;
  }

  private static Device open(String... arguments) {
    return option("there is no GPU", arguments).open(new Output());
  }

  private static void refused(int code, String words, String... arguments) {
    UserError error = assertThrows(UserError.class, () -> open(arguments));
    assertEquals(code, CommandErrors.exitCode(error));
    assertTrue(error.getMessage().contains(words), error.getMessage());
  }

  @Test
  void withoutAGpuTheCpuIsTakenUnlessAGpuIsAskedFor() {
    assertSame(Device.CPU, open());
    assertSame(Device.CPU, open("--device", "auto"));
    assertSame(Device.CPU, open("--device", "cpu"));
    assertSame(Device.CPU, open("--device", "cpu", "--precision", "float32"));
    refused(1, "--device cuda: there is no GPU", "--device", "cuda");
  }

  @Test
  void theCpuAsksNothingAboutGpus() {
    DeviceOption option =
        new DeviceOption(
            () -> {
              throw new AssertionError("asking loads libraries");
            },
            () -> true,
            null);
    new CommandLine(option).parseArgs("--device", "cpu");
    assertSame(Device.CPU, option.open(new Output()));
  }

  private static Device openIfAsked(String problem, String... arguments) {
    return option(problem, arguments).openIfAsked(Precision.FLOAT32, "small steps", new Output());
  }

  @Test
  void workForTheCpuTakesAGpuOnlyWhereItIsNamed() {
    assertSame(Device.CPU, openIfAsked(null));
    assertSame(Device.CPU, openIfAsked(null, "--device", "auto"));
    assertSame(Device.CPU, openIfAsked(null, "--device", "cpu"));
    assertSame(Device.CPU, openIfAsked(null, "--precision", "float32"));
    UserError coarse =
        assertThrows(UserError.class, () -> openIfAsked(null, "--precision", "tf32"));
    assertTrue(coarse.getMessage().contains("(small steps)"), coarse.getMessage());
    UserError none =
        assertThrows(UserError.class, () -> openIfAsked("there is no GPU", "--device", "cuda"));
    assertTrue(none.getMessage().contains("there is no GPU"), none.getMessage());
    assertTrue(option(null, "--device", "cuda").asksForCuda());
    assertFalse(option(null).asksForCuda());
    DeviceOption byEnvironment = optionWith("cuda", "there is no GPU");
    assertFalse(byEnvironment.asksForCuda());
    assertSame(
        Device.CPU, byEnvironment.openIfAsked(Precision.FLOAT32, "small steps", new Output()));
  }

  @Test
  void aPrecisionOfGpusIsRefusedOnTheCpu() {
    refused(2, "--precision tf32 is for a GPU", "--device", "cpu", "--precision", "tf32");
    refused(2, "(there is no GPU)", "--precision", "bfloat16");
    UserError error =
        assertThrows(
            UserError.class,
            () ->
                option(null, "--precision", "bfloat16").without(Precision.BFLOAT16, "too coarse"));
    assertEquals("--precision bfloat16: too coarse", error.getMessage());
    assertEquals(UserError.Kind.INVALID, error.kind());
    DeviceOption fine = option(null, "--precision", "tf32");
    assertSame(fine, fine.without(Precision.BFLOAT16, "too coarse"));
  }

  @Test
  void unknownNamesAreRefused() {
    refused(2, "--device: expected auto, cpu or cuda, found 'gpu'", "--device", "gpu");
    refused(2, "found 'cud'", "--device", "cud");
    refused(2, "found 'fp32'", "--precision", "fp32", "--device", "cpu");
  }

  @Test
  void theEnvironmentSaysWhatTheOptionDoesNot() {
    String none = "there is no GPU";
    for (String unset : new String[] {null, ""}) {
      assertSame(Device.CPU, optionWith(unset, none).open(new Output()));
    }
    assertSame(Device.CPU, optionWith("cuda", none, "--device", "cpu").open(new Output()));
    DeviceOption cuda = optionWith("cuda", none);
    assertEquals(List.of(), cuda.given());
    UserError error = assertThrows(UserError.class, () -> cuda.open(new Output()));
    assertEquals("PSM_DEVICE=cuda: there is no GPU", error.getMessage());
    UserError wrong =
        assertThrows(UserError.class, () -> optionWith("CUDA", none).open(new Output()));
    assertEquals("PSM_DEVICE: expected auto, cpu or cuda, found 'CUDA'", wrong.getMessage());
    assertEquals(UserError.Kind.INVALID, wrong.kind());
  }

  @Test
  void whatWasGivenIsTold() {
    assertEquals(List.of(), option(null).given());
    assertEquals(
        List.of("--device", "--precision"),
        option(null, "--precision", "tf32", "--device", "cuda").given());
  }

  /** What is said on a machine that cannot compute on a GPU. */
  private static String note(boolean driver, String... arguments) {
    DeviceOption option =
        new DeviceOption(() -> Optional.of("install a driver"), () -> driver, null);
    new CommandLine(option).parseArgs(arguments);
    PrintStream err = System.err;
    ByteArrayOutputStream caught = new ByteArrayOutputStream();
    try {
      System.setErr(new PrintStream(caught, true, StandardCharsets.UTF_8));
      assertSame(Device.CPU, option.open(new Output()));
    } finally {
      System.setErr(err);
    }
    return caught.toString(StandardCharsets.UTF_8).strip();
  }

  @Test
  void adviceAboutDriversIsForThoseWithAGpuOrAWishForOne() {
    assertEquals("psm: networks on cpu", note(false));
    assertEquals("psm: networks on cpu: install a driver", note(true));
    assertEquals("psm: networks on cpu: install a driver", note(false, "--device", "auto"));
  }
}
