// The same prompt for a terminal and for Java.

const shell = (text) => (/^[A-Za-z0-9_./,=+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
const java = (text) => JSON.stringify(text).replace(/[\u007f-\uffff]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

// `goal` has the numbers of a goal, however it was shown.
export function command({folder}, prompt, goal, tasks) {
  const solve = `./psm solve ${shell(folder)}`;
  if (prompt.kind === 'reward') {
    const text = prompt.text.trim();
    return tasks.includes(text) ? `${solve} --task ${text}` : `${solve} --reward ${shell(prompt.text.replace(/\s+/g, ' ').trim())}`;
  }
  if (prompt.kind === 'demonstration') {
    return `${solve} --demo ${shell(prompt.file.name)} --window ${prompt.window}`;
  }
  // With an equals sign, or a first number below zero would pass for an option.
  return `${solve} --goal=${goal.join(',')}`;
}

function policy(prompt, goal) {
  if (prompt.kind === 'reward') {
    return `agent.solve(${java(prompt.text)})`;
  }
  if (prompt.kind === 'demonstration') {
    return `PromptFile.demonstration(Path.of(${java(prompt.file.name)}), world, ${prompt.window}).solve(agent)`;
  }
  return `agent.solveGoal(new float[] {${goal.map((number) => `${number}f`).join(', ')}})`;
}

export function javaCode({folder}, prompt, goal) {
  return `try (ZeroShotAgent agent = ZeroShotAgent.load(Path.of(${java(folder)}));
    Environment world = agent.environment().open()) {
  ZeroShotPolicy policy = ${policy(prompt, goal).replace(', world,', ', agent.environment(),')};
  float[] observation = world.reset(new SplittableRandom(0));
  for (int step = 0; step < agent.environment().episodeSteps(); step++) {
    observation = world.step(policy.act(observation)).observation();
  }
}`;
}
