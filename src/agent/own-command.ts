import { createTimeId } from '../base/ids.ts';
import { createMailbox } from '../base/mailbox.ts';
import type { JsonObject } from '../base/json-types.ts';
import type { OwnCommandResult } from '../contracts/aside.ts';
import type { AgentEvent } from '../contracts/event.ts';
import { joinTextBlocks } from '../contracts/message.ts';
import type { PreparedCall, Toolkit } from '../contracts/tool.ts';
import { RESULTS } from './words.ts';

/** The tool that runs shell commands. */
const SHELL_TOOL = 'terminal';

export interface OwnCommand {
  readonly sessionId: string;
  readonly command: string;
  readonly signal: AbortSignal;
}

/** Runs a shell command that a person typed, through the same door as one of the model: floor, wall, checkpoints, redaction. Typing it is the consent. */
export const runOwnCommand = (toolkit: Toolkit, { sessionId, command, signal }: OwnCommand): AsyncGenerator<AgentEvent, OwnCommandResult> =>
  runOwnCall(toolkit, { sessionId, name: SHELL_TOOL, input: { command }, signal, byOwner: true });

export interface OwnCall {
  readonly sessionId: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly signal: AbortSignal;
  /** The owner typed it. */
  readonly byOwner?: true;
}

/** The same for any tool of the session. */
export async function* runOwnCall(
  toolkit: Toolkit,
  { sessionId, name, input, signal, byOwner }: OwnCall,
): AsyncGenerator<AgentEvent, OwnCommandResult> {
  const id = createTimeId('o', Date.now());
  await toolkit.open?.([name]);
  const resolved = toolkit.resolve({ type: 'tool_call', id, name, input, trust: 'model' });
  if (!resolved.ok) return { ok: false, output: resolved.words };
  const notes = createMailbox<AgentEvent>();
  const prepared = await toolkit.prepare(resolved, {
    signal,
    sessionId,
    turnId: '',
    taint: [],
    ...(byOwner && { byOwner }),
    report: (note) => notes.push({ type: 'tool_progress', callId: id, note }),
    notice: (text) => notes.push({ type: 'notice', text }),
  });
  const running = Promise.try(() => runAgreed(prepared, signal))
    .catch((error: unknown) => ({ ok: false, output: RESULTS.broke(error) }))
    .finally(() => notes.close());
  for await (const note of notes) yield note;
  return running;
}

/** Puts what stands against it to the owner, one question after the other, then runs it. */
async function runAgreed(prepared: PreparedCall, signal: AbortSignal): Promise<OwnCommandResult> {
  for (let admission = await prepared.admission(); admission.type === 'ask'; admission = await prepared.admission())
    await prepared.ask(admission.action, signal);
  const { message, details } = await prepared.run();
  const failed = message.failed || (details?.kind === 'command' && details.exitCode !== 0);
  return { ok: !failed, output: joinTextBlocks(message) };
}
