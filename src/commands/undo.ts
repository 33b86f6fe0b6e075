import { formatCount } from '../base/screen/figures.ts';
import { toVisibleLine } from '../base/visible.ts';
import type { CommandContext } from '../contracts/command.ts';
import type { AgentEvent } from '../contracts/event.ts';
import { joinOwnWords, type UserMessage } from '../contracts/message.ts';
import type { RewindResult } from '../contracts/rewind.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { CheckpointFile, CheckpointLine } from '../contracts/services/undo.ts';
import { findSession, SESSION_REF } from './find-session.ts';

const FACTS = { category: 'conversation', where: ['terminal', 'chat'], whileBusy: 'refuse' } as const;
const SESSION = { ...SESSION_REF, session: 'there is no session yet, so there is nothing to undo; continue a session first.' } as const;

/** What was taken back, and what of it is still there. */
export type UndoResult =
  | {
      readonly ok: true;
      readonly turns: number;
      /** The message that opened the first of the turns. */
      readonly message: UserMessage;
      /** Files the turns changed; they are as the turns left them. */
      readonly files: readonly CheckpointFile[];
      /** What brings them back; absent when nothing was kept of them. */
      readonly rollback?: string;
    }
  | { readonly ok: false; readonly why: string };

/** Takes turns back. Files stay as they are: they are named, and a rollback is offered. */
export const undo = defineCommand({
  ...FACTS,
  name: 'undo',
  summary: 'Take back the last turns; files that were changed stay and are listed',
  arguments: { session: SESSION, turns: { kind: 'whole_number', default: 1, description: 'number of turns' } },
  examples: ['/undo', '/undo 3'],
  needs: ['store', 'openSession', 'checkpoints'],
  run: async ({ session: ref, turns }, { store, openSession, checkpoints }, context: CommandContext<AgentEvent>): Promise<UndoResult> => {
    const session = await findSession(ref, store);
    const result = await lastOf((await openSession(session)).rewind({ turns }, context.signal), context);
    if (!result.ok) return result;
    const kept = checkpoints.list({ sessionId: session.id }).filter(({ turnId }) => result.turnIds.includes(turnId));
    context.followUp?.({ type: 'edit', message: result.message });
    const first = kept.at(-1);
    return {
      ok: true,
      turns: result.turnIds.length,
      message: result.message,
      files: changedFiles(result, kept),
      ...(first !== undefined && { rollback: `/rollback ${first.id}` }),
    };
  },
  describe: (result) => (result.ok ? undoneLines(result).join('\n') : result.why),
});

/** Takes the last turn back and sends its message again. */
export const retry = defineCommand({
  ...FACTS,
  name: 'retry',
  summary: 'Take back the last turn and send its message again',
  arguments: { session: SESSION },
  examples: ['/retry'],
  needs: ['store', 'openSession'],
  run: async ({ session: ref }, { store, openSession }, context: CommandContext<AgentEvent>) => {
    const session = await findSession(ref, store);
    const result = await lastOf((await openSession(session)).rewind({ turns: 1 }, context.signal), context);
    if (result.ok) context.followUp?.({ type: 'send', message: result.message });
    return result.ok ? ({ ok: true, message: result.message } as const) : result;
  },
  describe: (result) => (result.ok ? `Again: ${toVisibleLine(joinOwnWords(result.message))}` : result.why),
});

async function lastOf(events: AsyncGenerator<AgentEvent, RewindResult>, { report }: CommandContext<AgentEvent>): Promise<RewindResult> {
  for (;;) {
    const { value, done } = await events.next();
    if (done === true) return value;
    report(value);
  }
}

/** What the file tools wrote, and what checkpoints know of commands besides. Each file once, as the last of them left it. */
function changedFiles({ files }: RewindResult & { readonly ok: true }, kept: readonly CheckpointLine[]): readonly CheckpointFile[] {
  const written = files.map(({ path, fate }): CheckpointFile => ({ path, change: fate === 'deleted' ? 'deleted' : 'changed' }));
  const known = kept.toReversed().flatMap((line) => line.files);
  return [...new Map([...written, ...known].map((file) => [file.path, file])).values()];
}

function undoneLines({ turns, message, files, rollback }: UndoResult & { readonly ok: true }): string[] {
  return [
    `Took back ${formatCount(turns, 'turn')}, from: ${toVisibleLine(joinOwnWords(message))}`,
    ...(files.length === 0 ? [] : ['Files stay as they are now:']),
    ...files.map(({ path, change }) => `  ${change === 'unknown' ? 'changed' : change} ${toVisibleLine(path)}`),
    ...(rollback === undefined ? [] : [`To restore them: ${rollback}`]),
  ];
}
