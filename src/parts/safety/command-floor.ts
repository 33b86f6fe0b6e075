import type { CommandVerdict, JudgeCommand } from '../../contracts/safety.ts';
import { nameOf } from './arguments.ts';
import { linesHandedOn } from './handed-on.ts';
import { innerCommands, MAX_LAYERS } from './inner-commands.ts';
import { expandWhole, expandWord, withoutMarks } from './marks.ts';
import { target } from './paths.ts';
import { RULES, type Rule } from './rules.ts';
import { Scene } from './scene.ts';
import { shellSteps } from './shell-words.ts';
import { spoken, type SimpleCommand } from './shell-words/simple-command.ts';
import { isAssignment } from './wrappers.ts';

/** Shells within shells. More than anybody writes; beyond it a line is not read but asked about. */
const MAX_DEPTH = 4;

/** Judges every simple command of a line; what a shell is handed with -c, by eval or through its input is judged as well. */
export const judgeBy =
  (rules: readonly Rule[]): JudgeCommand =>
  (line, { cwd, home }) =>
    judge(withoutMarks(line), new Scene(cwd, home, line.length), rules, 0);

export const judgeCommand: JudgeCommand = judgeBy(RULES);

function judge(line: string, scene: Scene, rules: readonly Rule[], depth: number): CommandVerdict {
  const steps = depth > MAX_DEPTH || !scene.afford(line.length) ? undefined : shellSteps(line);
  if (steps === undefined) return { type: 'ask', reason: 'its quoting could not be read', key: 'unreadable' };
  if (/:\s*\(\s*\)\s*\{\s*:\s*\|\s*:\s*&/.test(line)) return { type: 'refuse', reason: 'it is a fork bomb', key: 'fork_bomb' };
  let asked: CommandVerdict | undefined;
  for (const step of steps) {
    if (step.type !== 'command') scene[step.type]();
    else {
      const verdicts = judgeOne(expanded(step.command, scene), { scene, rules, depth, layer: 0 });
      const refused = verdicts.find(({ type }) => type === 'refuse');
      if (refused !== undefined) return refused;
      asked ??= verdicts.find(({ type }) => type === 'ask');
    }
  }
  return asked ?? { type: 'fine' };
}

/** The command as it would run here, with the text its pipeline feeds it. */
function expanded(command: SimpleCommand, scene: Scene): SimpleCommand {
  const valueOf = (name: string) => scene.valueOf(name);
  const words = command.words.flatMap((word) => (isAssignment(word) ? expandWhole(word, valueOf) : expandWord(word, valueOf)));
  const fed = command.fed.map((text) => expandWhole(text, valueOf));
  const writes = command.writes.map((word) => expandWhole(word, valueOf));
  const said = spoken({ ...command, words, writes: [] });
  return { words, writes, piped: command.piped, fed: scene.pipe(command.piped, said === undefined ? fed : [...fed, said], fed) };
}

/** Where a command stands: what is known of the shell, by which rules it is judged, and how deep inside others it is. */
interface Bench {
  readonly scene: Scene;
  readonly rules: readonly Rule[];
  readonly depth: number;
  readonly layer: number;
}

/** One command and, layer by layer, the commands it stands before. */
function judgeOne(command: SimpleCommand, bench: Bench): CommandVerdict[] {
  const { scene, rules, depth, layer } = bench;
  if (layer > MAX_LAYERS) return [{ type: 'ask', reason: 'it is wrapped too often to be read', key: 'unreadable' }];
  const start = command.words.findIndex((word) => !isAssignment(word));
  const [first = '', ...args] = start < 0 ? [] : command.words.slice(start);
  const name = nameOf(first);
  const place = scene.place;
  const own = rules
    .filter((rule) => rule.matches(name, args, command, place))
    .map(({ type, reason }): CommandVerdict => ({
      type,
      reason,
      key: reason.replaceAll(/\W+/g, '_'),
    }));
  const verdicts = [
    ...own,
    ...linesHandedOn(name, args, command.fed).map((line) => scene.apart(() => judge(line, scene, rules, depth + 1))),
    ...innerCommands(name, args, command.fed).flatMap((words) =>
      judgeOne({ ...command, words, writes: [] }, { ...bench, layer: layer + 1 }),
    ),
  ];
  scene.after(start < 0 ? command.words : [name, ...args], (word) => target(word, place));
  return verdicts;
}
