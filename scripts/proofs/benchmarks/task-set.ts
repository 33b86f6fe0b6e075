import { hermesTasks, readOwnTasks } from '../../../src/faces/environments/library/hermes-tasks.ts';
import type { HarborTask } from '../../../src/faces/environments/harbor/read-task.ts';
import type { Script } from '../../../src/testing/scripted-provider.ts';
import { CHEATS, cheatCommand } from '../../../test/faces/environments/cheats.ts';
import { stagePlays } from '../../../test/faces/environments/play.ts';
import { commandPlayer, listWrongSolutions, nopPlayer, oraclePlayer, scriptCommand } from '../../../test/faces/environments/players.ts';
import { tableOf, type ProofSection } from './section.ts';

/** Where the tasks are; the fixtures where there are none yet. */
export const taskFolder = (): string => process.env['HERMES_TASKS'] ?? 'tasks';

interface Play {
  readonly name: string;
  readonly player: Script;
  readonly wanted: number;
}

/** All that is played on a task. A cheat is tried on every so many-th task, another one each time, so that each is tried often. */
const planPlays = (tasks: readonly HarborTask[], task: HarborTask, index: number, cheatsPerTask: number): readonly Play[] => [
  { name: 'oracle', player: oraclePlayer(tasks), wanted: 1 },
  { name: 'nop', player: nopPlayer, wanted: 0 },
  ...listWrongSolutions(task).map((file) => ({
    name: 'wrong',
    player: commandPlayer(tasks, (one) => scriptCommand(one, file)),
    wanted: 0,
  })),
  ...CHEATS.filter((_, at) => (at + index) % Math.ceil(CHEATS.length / cheatsPerTask) === 0).map((cheat) => ({
    name: `cheat: ${cheat.name}`,
    player: commandPlayer(tasks, (one) => cheatCommand(cheat, one)),
    wanted: 0,
  })),
];

export async function proveTaskSet(cheatsPerTask: number): Promise<ProofSection> {
  const title = 'The tasks of this project';
  const folder = taskFolder();
  const tasks = await readOwnTasks(folder, 'all').catch(() => []);
  if (tasks.length === 0) return { title, lines: [], faults: [`there are no tasks in ${folder}`] };
  const faults: string[] = [];
  const counts = new Map<string, { plays: number; ones: number }>();
  await using stage = await stagePlays(hermesTasks, { dataset_name: folder, split: 'all' });
  for (const [index, task] of stage.tasks.entries())
    for (const { name, player, wanted } of planPlays(stage.tasks, task, index, cheatsPerTask)) {
      const { reward, error, note } = await stage.play(task, player);
      if (reward !== wanted || (error !== undefined && wanted === 1))
        faults.push(`${task.id}, ${name}: ${reward} ${error ?? note ?? ''}`.trim());
      const kind = name.startsWith('cheat') ? 'cheats' : name;
      const count = counts.get(kind) ?? { plays: 0, ones: 0 };
      counts.set(kind, { plays: count.plays + 1, ones: count.ones + Number(reward >= 1) });
    }
  const groups = (keyOf: (task: HarborTask) => string | undefined) =>
    [...Map.groupBy(tasks, (task) => keyOf(task) ?? '?')]
      .map(([key, rows]) => `${key} ${rows.length}`)
      .toSorted()
      .join(', ');
  return {
    title,
    lines: [
      `${tasks.length} tasks. By difficulty: ${groups(({ difficulty }) => difficulty)}. By category: ${groups(({ category }) => category)}.`,
      '',
      ...tableOf([
        ['player', 'attempts', 'worth 1'],
        ...[...counts].map(([name, { plays, ones }]) => [NAMES[name] ?? name, plays, ones] as const),
      ]),
      '',
      `Cheats are rows of \`test/faces/environments/cheats.ts\` (${CHEATS.length}): each task is tried with ${cheatsPerTask} or so of them, another choice each time.`,
    ],
    faults,
  };
}

const NAMES: Readonly<Record<string, string>> = {
  oracle: 'runs the solution',
  nop: 'does nothing',
  wrong: 'solutions that only look right (`wrong-N.sh`)',
};
