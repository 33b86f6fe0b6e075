import { resolveById } from '../base/by-id.ts';
import { UsageError } from '../base/errors.ts';
import { toPrintable } from '../base/printable.ts';
import { toVisibleLine } from '../base/visible.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { BackgroundProcess, ProcessOutput, ProcessService } from '../contracts/services/processes.ts';

const FACTS = { category: 'tools', where: ['shell'], whileBusy: 'run', needs: ['processes'] } as const;
const ID = { kind: 'text', required: true, description: 'the id of a process, or its first characters' } as const;

const describeProcess = ({ id, command, state, pid }: BackgroundProcess): string =>
  `${id}  ${toVisibleLine(command)} (${state}, pid ${pid})`;

export const processesList = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal'],
  slash: ['processes', 'processes list'],
  name: 'processes list',
  summary: 'List background processes',
  options: { all: { kind: 'flag', description: 'include those that have ended' } },
  json: 'one JSON array',
  examples: ['hermes processes list', "hermes processes list --json | jq -r '.[].command'"],
  run: async ({ all }, { processes }) => (await processes.list()).filter(({ state }) => all === true || state !== 'exited'),
  describe: (rows) => rows.map(describeProcess).join('\n') || 'No background processes are running.',
});

/** A process with what it wrote. */
export interface ShownProcess extends ProcessOutput {
  readonly process: BackgroundProcess;
}

export const processesShow = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal'],
  name: 'processes show',
  summary: 'Show a process and its output',
  arguments: { id: ID },
  json: 'as JSON',
  examples: ['hermes processes show proc_3f2a'],
  run: async ({ id }, { processes }): Promise<ShownProcess> => {
    const process = await oneOf(id, processes);
    if (process.state === 'unreachable')
      throw new UsageError(`the output of ${process.id} cannot be read now: ${process.why ?? 'its place does not answer'}`);
    return { process, ...(await processes.output(process.id)) };
  },
  describe: ({ process, text }) => `${describeProcess(process)}\n${toPrintable(text)}`,
});

/** A session that is closed ends what it started, but for these. */
export const processesKeep = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal'],
  name: 'processes keep',
  summary: 'Let a process go on when its session is closed',
  arguments: { id: ID },
  json: 'as JSON',
  ownerOnly: true,
  examples: ['hermes processes keep proc_3f2a'],
  run: async ({ id }, { processes }) => {
    const process = await oneOf(id, processes);
    if (process.state === 'exited') throw new UsageError(`${process.id} has ended already.`);
    return processes.keep(process.id);
  },
  describe: ({ id, command }) => `${id} goes on when its session is closed: ${toVisibleLine(command)}`,
});

export const processesKill = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal'],
  name: 'processes kill',
  summary: 'End a process and everything it started',
  arguments: { id: ID },
  json: 'as JSON',
  ownerOnly: true,
  examples: ['hermes processes kill proc_3f2a'],
  run: async ({ id }, { processes }) => {
    const process = await oneOf(id, processes);
    if (process.state === 'exited') return { process, ok: true, already: true };
    if (process.state === 'unreachable')
      throw new UsageError(`${process.id} cannot be ended now: ${process.why ?? 'its place does not answer'}`);
    const after = await processes.kill(process.id);
    return { process: after, ok: after.state === 'exited', already: false };
  },
  describe: ({ process, ok, already }) => `${process.id} ${already ? 'had ended already' : ok ? 'has ended' : 'is still running'}.`,
});

const oneOf = async (id: string, processes: ProcessService): Promise<BackgroundProcess> =>
  resolveById(id, await processes.list(), (row) => [row.id, row.id.replace(/^proc_/, '')], {
    what: 'background process',
    shownBy: 'hermes processes list --all',
  });
