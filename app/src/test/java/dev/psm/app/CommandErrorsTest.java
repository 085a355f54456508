package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Remedy;
import dev.psm.core.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CommandErrorsTest {
  @Test
  void aWrongRequestIsTwoAndFailedWorkOne() {
    assertEquals(2, CommandErrors.exitCode(UserError.invalid("wrong")));
    assertEquals(2, CommandErrors.exitCode(UserError.argument("out", "wrong")));
    assertEquals(1, CommandErrors.exitCode(UserError.failed(null, "broken")));
    assertEquals(1, CommandErrors.exitCode(UserError.failed(null, "broken").with(Remedy.USE_CPU)));
  }

  @Test
  void aParameterIsNamedAsTheOptionThatItIs() {
    UserError error = UserError.argument("fromStep", "expected %d", 0);
    assertEquals("fromStep: expected 0", error.getMessage());
    assertEquals("--from-step: expected 0", CommandErrors.message(error));
    assertEquals(
        "fromStep is wrong", CommandErrors.message(UserError.invalid("fromStep is wrong")));
  }

  @Test
  void aRemedyIsToldByItsOptions() {
    UserError error =
        UserError.argument("out", "x already holds a run; resume it, or replace it")
            .with(Remedy.RESUME_OR_REPLACE);
    assertEquals(
        "--out: x already holds a run; resume it, or replace it (--resume goes on with it, --force"
            + " replaces it)",
        CommandErrors.message(error));
    assertEquals(
        "step 30 is sound: go on from there (--resume --from-step 30)",
        CommandErrors.message(
            UserError.invalid("step 30 is sound: go on from there").with(Remedy.RESUME_FROM, 30)));
    assertEquals(
        "wait, or resume it (./psm pretrain --out 'my run' --resume)",
        CommandErrors.message(
            UserError.invalid("wait, or resume it").with(Remedy.RESUME, "my run")));
  }

  @ParameterizedTest
  @EnumSource
  void everyRemedyHasWordsWithOrWithoutASubject(Remedy remedy) {
    UserError error = UserError.invalid("wrong");
    for (UserError each : new UserError[] {error.with(remedy), error.with(remedy, "x")}) {
      String told = CommandErrors.message(each);
      assertTrue(told.matches("wrong \\(.*(--[a-z]|\\./psm).*\\)"), told);
      assertFalse(told.contains("null") || told.contains("Optional"), told);
    }
  }
}
