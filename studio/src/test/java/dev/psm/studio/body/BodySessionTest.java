package dev.psm.studio.body;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.FormatMethod;
import dev.psm.core.UserError;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The walker of models/, told what to do as a page tells it. */
@Tag("slow")
final class BodySessionTest {
  private static final String RUN = "upright * clip(velocity_x / 4, 0, 1)";

  private static ZeroShotAgent agent;

  private final Uploads uploads = new Uploads();
  private final Witness witness = new Witness();
  private BodySession session;

  @BeforeAll
  static void load() {
    agent = ZeroShotAgent.load(Path.of("../models/walker-psm"));
  }

  @AfterAll
  static void free() {
    agent.close();
  }

  @BeforeEach
  void start() {
    session = new BodySession(() -> agent, uploads, witness, () -> {});
    session.start();
    witness.heard("scene");
  }

  @AfterEach
  void end() {
    session.close();
    assertFalse(session.isRunning(), "the session's thread ends");
  }

  @FormatMethod
  private void tell(String message, Object... arguments) {
    session.receive(message.formatted(arguments).replace('\'', '"'));
  }

  private void reward(int lane, int id, String formula) {
    tell(
        "{'type':'prompt','lane':%d,'id':%d,'prompt':{'kind':'reward','text':'%s'}}",
        lane, id, formula);
    witness.heard("policy", policy -> policy.path("id").asInt() == id);
  }

  @Test
  void shapesAreSaidOnceAndFramesTellWhereTheyAre() {
    ObjectNode scene = witness.heard("scene");
    int shapes = scene.path("shapes").size();
    assertTrue(shapes > 7, "ground and limbs");
    assertFalse(scene.path("shapes").get(0).path("pushable").asBoolean(), "the ground");
    reward(0, 1, RUN);
    ReadFrame frame = witness.seen("a step", each -> each.lane().elapsed() > 2);
    assertEquals(7 * shapes, frame.lane().shapes().length);
    for (int i = 0; i < shapes; i++) {
      double norm = 0;
      for (int k = 3; k < 7; k++) {
        double part = frame.lane().shapes()[7 * i + k];
        norm += part * part;
      }
      assertEquals(1, norm, 1e-5, "quaternion of shape " + i);
    }
  }

  @Test
  void obeysASecondFormulaWithoutAReset() {
    reward(0, 1, "stand");
    ReadFrame stood = witness.seen("two seconds", each -> each.lane().elapsed() > 80);
    assertEquals(0, stood.lane().focus()[0], 3, "it stands where it began");
    reward(0, 2, RUN);
    ReadFrame obeyed = witness.seen("the second prompt", each -> each.lane().prompt() == 2);
    assertEquals(stood.lane().episode(), obeyed.lane().episode(), "no other episode began");
    assertTrue(obeyed.lane().elapsed() >= stood.lane().elapsed(), "time goes on");
    float from = obeyed.lane().focus()[0];
    witness.seen("four metres to the right", each -> each.lane().focus()[0] > from + 4);
  }

  @Test
  void partsAndProjectedRewardAreToldWithTheReward() {
    reward(0, 1, "upright + 2 * torso_height");
    ObjectNode policy = witness.heard("policy");
    assertEquals(
        "[reward, projected, part, part]",
        IntStream.range(0, 4)
            .mapToObj(i -> policy.path("tracks").get(i).path("kind").asText())
            .toList()
            .toString());
    float[] values = witness.seen("a step", each -> each.lane().prompt() == 1).lane().values();
    assertEquals(values[0], values[2] + values[3], 1e-5, "the parts add up");
    double correlation = policy.path("correlation").asDouble();
    assertTrue(correlation > 0.3 && correlation <= 1, "correlation " + correlation);
  }

  @Test
  void twinsGoTheSameWayUntilOneIsPushed() {
    tell("{'type':'play','playing':false}");
    tell("{'type':'lanes','count':2}");
    reward(0, 1, "stand");
    reward(1, 2, "stand");
    tell("{'type':'play','playing':true}");
    ReadFrame same = witness.seen("ten steps", each -> each.lane().elapsed() >= 10);
    assertArrayEquals(same.lanes().get(0).shapes(), same.lanes().get(1).shapes());
    tell("{'type':'push','lane':0,'shape':1,'point':[0,0,0],'force':[400,0,0]}");
    ReadFrame pushed =
        witness.seen(
            "twins apart",
            each -> each.lanes().get(0).focus()[0] > each.lanes().get(1).focus()[0] + 0.1f);
    assertTrue(pushed.lanes().get(0).pushed());
    assertFalse(pushed.lanes().get(1).pushed());
    tell("{'type':'release','lane':0}");
    witness.seen("nobody pushed", each -> !each.lanes().get(0).pushed());
  }

  @Test
  void pushEndsWithoutItsPage() {
    reward(0, 1, "stand");
    tell("{'type':'push','lane':0,'shape':1,'point':[0,0,0],'force':[1,0,0]}");
    witness.seen("the push", each -> each.lane().pushed());
    witness.seen("its end", each -> !each.lane().pushed());
  }

  @Test
  void groundCannotBePushed() {
    reward(0, 1, "stand");
    tell("{'type':'push','lane':0,'shape':0,'point':[0,0,0],'force':[1,0,0]}");
    int now = witness.frames().get(witness.frames().size() - 1).lane().elapsed();
    ReadFrame later = witness.seen("some steps", each -> each.lane().elapsed() > now + 5);
    assertFalse(later.lane().pushed());
  }

  @Test
  void whoDoesNotLookMissesFramesAndNothingElse() {
    reward(0, 1, RUN);
    ReadFrame before = witness.seen("a step", each -> each.lane().elapsed() > 0);
    witness.lookAway(5);
    reward(0, 2, "stand");
    ReadFrame after = witness.seen("a frame again", each -> each.lane().prompt() == 2);
    assertTrue(after.dropped() >= before.dropped() + 5);
    assertTrue(after.lane().elapsed() > before.lane().elapsed());
  }

  @Test
  void pausesGoesOnAndBeginsAnew() {
    reward(0, 1, RUN);
    witness.seen("some steps", each -> each.lane().elapsed() > 5);
    tell("{'type':'play','playing':false}");
    tell("{'type':'posture','lane':0}");
    witness.heard("posture");
    ReadFrame paused = witness.seen("a frame while paused", each -> true);
    ReadFrame still = witness.seen("another", each -> true);
    assertEquals(paused.lane().elapsed(), still.lane().elapsed());
    assertArrayEquals(paused.lane().shapes(), still.lane().shapes());
    tell("{'type':'reset'}");
    ReadFrame anew =
        witness.seen("another episode", each -> each.lane().episode() > still.lane().episode());
    assertEquals(0, anew.lane().elapsed());
    tell("{'type':'play','playing':true}");
    witness.seen("steps", each -> each.lane().elapsed() > 2);
  }

  @Test
  void badMessagesAreAnsweredAndTheBodyGoesOn() {
    reward(0, 1, RUN);
    expectError("{", "JSON");
    expectError("[]", "object");
    expectError("{'type':'dance'}", "expected lanes, prompt");
    expectError("{'kind':'reset'}", "type");
    expectError("{'type':'reset','now':true}", "now");
    expectError("{'type':'lanes','count':3}", "1 to 2");
    expectError("{'type':'speed','factor':1000}", "0.1 to 4");
    expectError("{'type':'push','lane':0,'shape':1,'point':[0,0],'force':[0,0,0]}", "3 numbers");
    expectError("{'type':'posture','lane':1}", "no body 1");
    expectError("{'type':'prompt','lane':0,'id':7,'prompt':{'kind':'song'}}", "expected reward");
    expectError(
        "{'type':'prompt','lane':0,'id':8,'prompt':{'kind':'pose','values':[1]}}", "9 numbers");
    expectError(
        "{'type':'prompt','lane':0,'id':8,'prompt':{'kind':'goal','numbers':[0,1e300]}}",
        "field prompt.numbers[1]: expected a finite number of single precision, found 1.0E300");
    expectError(
        "{'type':'prompt','lane':0,'id':9,'prompt':{'kind':'frame','index':1000000}}",
        "states 0 to");
    expectError(
        "{'type':'prompt','lane':0,'id':9,'prompt':{'kind':'demonstration','upload':'x','window':1}}",
        "choose the file again");
    int now = witness.frames().get(witness.frames().size() - 1).lane().elapsed();
    witness.seen("steps all the same", each -> each.lane().elapsed() > now + 5);
  }

  private void expectError(String message, String words) {
    session.receive(message.replace('\'', '"'));
    witness.heard("error", error -> error.path("message").asText().contains(words));
  }

  @Test
  void wrongFormulaIsToldAtItsPlaceAndTheOldOneStays() {
    reward(0, 1, RUN);
    tell(
        "{'type':'prompt','lane':0,'id':2,'prompt':{'kind':'reward','text':'upright * velocty_x'}}");
    ObjectNode error = witness.heard("error");
    assertEquals(10, error.path("index").asInt());
    assertEquals(2, error.path("id").asInt());
    assertTrue(error.path("message").asText().contains("velocity_x"), error::toString);
    ReadFrame frame = witness.seen("a frame", each -> true);
    assertEquals(1, frame.lane().prompt());
  }

  @Test
  void poseIsShownPaleBeforeItIsTaken() {
    tell("{'type':'preview','lane':0,'prompt':{'kind':'pose','values':[0,0,0,0.5,0,0,0,0,0]}}");
    assertTrue(witness.heard("previewed").path("shown").asBoolean());
    ReadFrame ghost = witness.seen("the ghost", each -> each.lane().ghost().length > 0);
    assertEquals(0, ghost.lane().prompt(), "nothing was asked yet");
    tell(
        "{'type':'prompt','lane':0,'id':1,'prompt':{'kind':'pose','values':[0,0,0,0.5,0,0,0,0,0]}}");
    ObjectNode policy = witness.heard("policy");
    assertEquals(agent.environment().observationSize(), policy.path("goal").size());
    witness.seen("the goal's ghost", each -> each.lane().ghost().length > 0);
  }

  @Test
  void aGoalFarOutsideTheDataComesWithAWarning() {
    int width = agent.environment().observationSize();
    String zeros = ",0".repeat(width - 1);
    tell("{'type':'prompt','lane':0,'id':1,'prompt':{'kind':'goal','numbers':[1e6%s]}}", zeros);
    assertTrue(witness.heard("policy").path("warning").asText().contains("far outside the data"));
  }

  @Test
  void stateOfTheSampleIsAGoal() {
    tell("{'type':'preview','lane':0,'prompt':{'kind':'frame','index':5}}");
    assertEquals(9, witness.heard("previewed").path("pose").size());
    tell("{'type':'prompt','lane':0,'id':1,'prompt':{'kind':'frame','index':5}}");
    assertEquals("distance", witness.heard("policy").path("tracks").get(0).path("kind").asText());
  }

  @Test
  void demonstrationFromAFileIsFollowed() {
    float[] sample = agent.sample().observations();
    int width = agent.environment().observationSize();
    String rows =
        IntStream.range(0, 5)
            .mapToObj(
                row ->
                    IntStream.range(0, width)
                        .mapToObj(i -> String.valueOf(sample[row * width + i]))
                        .collect(Collectors.joining(",")))
            .collect(Collectors.joining("\n"));
    String upload =
        uploads.add("mine.csv", rows.getBytes(StandardCharsets.UTF_8), agent.environment());
    tell(
        "{'type':'prompt','lane':0,'id':1,'prompt':{'kind':'demonstration','upload':'%s','window':2}}",
        upload);
    assertEquals("demonstration: mine.csv", witness.heard("policy").path("title").asText());
    witness.seen("its ghost", each -> each.lane().ghost().length > 0);
  }

  @Test
  void wrongFileIsToldByItsOwnName() {
    RuntimeException refused =
        assertThrows(
            RuntimeException.class,
            () ->
                uploads.add(
                    "mine.csv", "1,2,3".getBytes(StandardCharsets.UTF_8), agent.environment()));
    assertTrue(refused.getMessage().startsWith("mine.csv: line 1"), refused::getMessage);
  }

  @Test
  void agentThatCannotBeLoadedIsToldInWords() {
    Witness other = new Witness();
    try (BodySession broken =
        new BodySession(
            () -> {
              throw UserError.invalid("the model is broken");
            },
            uploads,
            other,
            () -> {})) {
      broken.start();
      assertEquals("the model is broken", other.heard("end").path("message").asText());
      other.awaitClose();
    }
    assertTrue(other.isClosed());
  }
}
