package dev.psm.studio.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.psm.studio.ModelShelf;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Modules of the page by themselves, with a server that answers in an order of the test's own. */
@Tag("slow")
final class PageScriptsTest {
  /** A session with the walker: {@code said} is what the page sent, {@code hear} the answer. */
  private static final String SESSION =
      """
      const {openSession} = await import('/page/body-session.js');
      const said = [];
      const failures = [];
      let socket;
      window.WebSocket = class {
        static OPEN = 1;
        readyState = 1;
        constructor() {
          socket = this;
        }
        send(text) {
          said.push(JSON.parse(text));
        }
        close() {}
      };
      const on = {failed: ({message}) => failures.push(message), policy() {}, state() {}};
      const session = openSession('walker', on);
      const hear = (message) => socket.onmessage({data: JSON.stringify(message)});
      const ask = (text) => {
        session.prompt(0, {kind: 'reward', text});
        return said.at(-1).id;
      };
      const reward = () => session.wanted.prompts[0].text;
      socket.onopen();
      """;

  private static StudioBrowser browser;

  @BeforeAll
  static void open() {
    browser = new StudioBrowser(new ModelShelf());
  }

  @AfterAll
  static void close() {
    browser.close();
  }

  /** What an asynchronous function body returns. */
  private static Object run(String body) {
    browser.open("home");
    return browser
        .driver()
        .executeAsyncScript(
            "(async () => {%s})().then(arguments[0], (e) => arguments[0](String(e)))"
                .formatted(body));
  }

  @Test
  void whatCannotBeObeyedGivesWayToWhatIs() {
    assertEquals(
        List.of("stand", List.of("no such word")),
        run(
            SESSION
                + """
                hear({type: 'policy', lane: 0, id: ask('stand')});
                hear({type: 'error', about: 'prompt', lane: 0, id: ask('wlak'), message: 'no such word'});
                return [reward(), failures];
                """));
  }

  /** A mistake may be told after its remedy was sent. */
  @Test
  void whatWasAskedSinceAMistakeStays() {
    assertEquals(
        List.of("walk", List.of()),
        run(
            SESSION
                + """
                hear({type: 'policy', lane: 0, id: ask('stand')});
                const wrong = ask('wlak');
                const right = ask('walk');
                hear({type: 'error', about: 'prompt', lane: 0, id: wrong, message: 'no such word'});
                hear({type: 'policy', lane: 0, id: right});
                return [reward(), failures];
                """));
  }

  @Test
  void aFileThatTakesItsTimeIsNotObeyedAfterWhatWasAskedSince() {
    assertEquals(
        List.of("walk", List.of("reward")),
        run(
            SESSION
                + """
                let uploaded;
                window.fetch = () => new Promise((done) => (uploaded = done));
                session.prompt(0, {kind: 'demonstration', file: new File(['1'], 'a.csv'), window: 10});
                ask('walk');
                uploaded(new Response('{"upload": "u"}'));
                await new Promise((done) => setTimeout(done, 50));
                return [reward(), said.filter(({type}) => type === 'prompt').map(({prompt}) => prompt.kind)];
                """));
  }

  /** Else a line would count twice in the mean of a run's seeds. */
  @Test
  void aLogThatIsReadTwiceAtOnceHasItsLinesOnce() {
    assertEquals(
        List.of(2L, 1L),
        run(
            """
            const {RunLog} = await import('/page/runs-log.js');
            let asked = 0;
            window.fetch = async () => {
              asked++;
              const lines = [{step: 1, values: {loss: 1}}, {step: 2, values: {loss: 3}}];
              return new Response(JSON.stringify({finished: false, seeds: {0: {mark: {}, anew: true, lines, every: 1}}}));
            };
            const log = new RunLog('a');
            await Promise.all([log.read(), log.read()]);
            return [log.mean('loss').length, asked];
            """));
  }

  @Test
  void promptsAreWordsOfAShellAndOfJava() {
    assertEquals(
        List.of(
            "./psm solve runs/a --task run",
            "./psm solve 'my runs' --reward ' -height'",
            "./psm solve runs/a --reward 'it'\\''s * 2'",
            "./psm solve runs/a --goal=-0.5,1",
            "./psm solve runs/a --demo 'a b.npy' --window 10"),
        run(
            """
            const {command} = await import('/page/prompt-words.js');
            const words = (folder, prompt, goal) => command({folder}, prompt, goal, ['run']);
            return [
              words('runs/a', {kind: 'reward', text: ' run '}),
              words('my runs', {kind: 'reward', text: '-height\\n'}),
              words('runs/a', {kind: 'reward', text: "it's *\\n 2"}),
              words('runs/a', {kind: 'goal'}, [-0.5, 1]),
              words('runs/a', {kind: 'demonstration', file: {name: 'a b.npy'}, window: 10}),
            ];
            """));
    assertEquals(
        List.of(
            "agent.solve(\"a\\n\\\"\\u03b3\\\\\")",
            "agent.solveGoal(GoalEvaluation.place(agent.environment().episodeGoal().orElseThrow(), world))",
            "PromptFile.demonstration(Path.of(\"a, world, b\"), agent.environment(), 3).solve(agent)"),
        run(
            """
            const {javaCode} = await import('/page/prompt-words.js');
            const policy = (...rest) => /ZeroShotPolicy policy = (.*);/.exec(javaCode({folder: 'a'}, ...rest))[1];
            return [
              policy({kind: 'reward', text: 'a\\n"γ\\\\'}),
              policy({kind: 'reward', text: 'reach'}, [1, 2, 3], true),
              policy({kind: 'demonstration', file: {name: 'a, world, b'}, window: 3}),
            ];
            """));
  }
}
