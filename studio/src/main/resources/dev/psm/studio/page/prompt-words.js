// Words of prompts for a terminal and for Java.

export const shell = (text) => (/^[A-Za-z0-9_./,=+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

// In front of a minus a blank, or a formula could pass for an option.
export const formula = (text) => shell(text.replace(/\s+/g, ' ').trim().replace(/^-/, ' -'));

export const java = (text) => JSON.stringify(text).replace(/[\u007f-\uffff]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

// `goal` has the numbers of a goal, however it was shown.
export function command({folder}, prompt, goal, tasks) {
  const solve = `./psm solve ${shell(folder)}`;
  if (prompt.kind === 'reward') {
    const text = prompt.text.trim();
    return `${solve} ${tasks.includes(text) ? `--task ${text}` : `--reward ${formula(text)}`}`;
  }
  if (prompt.kind === 'demonstration') {
    return `${solve} --demo ${shell(prompt.file.name)} --window ${prompt.window}`;
  }
  // With an equals sign, or a first number below zero would pass for an option.
  return `${solve} --goal=${goal.join(',')}`;
}

function policy(prompt, goal, drawn) {
  if (drawn) {
    return 'agent.solveGoal(GoalEvaluation.place(agent.environment().episodeGoal().orElseThrow(), world))';
  }
  if (prompt.kind === 'reward') {
    return `agent.solve(${java(prompt.text)})`;
  }
  if (prompt.kind === 'demonstration') {
    return `PromptFile.demonstration(Path.of(${java(prompt.file.name)}), agent.environment(), ${prompt.window}).solve(agent)`;
  }
  return `agent.solveGoal(new float[] {${goal.map((number) => `${number}f`).join(', ')}})`;
}

// `drawn` says that the goal is the one that each episode draws, so it is there after the reset.
export function javaCode({folder}, prompt, goal, drawn) {
  return `try (ZeroShotAgent agent = ZeroShotAgent.load(Path.of(${java(folder)}));
    Environment world = agent.environment().open()) {
  float[] observation = world.reset(new SplittableRandom(0));
  ZeroShotPolicy policy = ${policy(prompt, goal, drawn)};
  for (int step = 0; step < agent.environment().episodeSteps(); step++) {
    observation = world.step(policy.act(observation)).observation();
  }
}`;
}
