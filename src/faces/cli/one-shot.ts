import { toPrintable } from '../../base/printable.ts';
import { addUsage, computeCacheShare } from '../../commands/usage-sums.ts';
import { NO_USAGE, type Usage } from '../../contracts/message.ts';
import type { AgentEvent, Outcome } from '../../contracts/event.ts';
import { toExitCode } from './exit-codes.ts';
import { encodeEventLine, NOTHING_TO_DO, encodeSessionLine } from './json-events.ts';
import type { Streams } from '../../base/screen/streams.ts';
import type { LiveTurn } from './live.ts';
import { createProgressPrinter } from './progress.ts';
import { describeStop, isStoppedByPerson } from './stopped.ts';
import { fitLines } from './streams.ts';

export interface OneShot {
  readonly sessionId: string;
  readonly resumed: boolean;
  readonly json: boolean;
  readonly turns: AsyncGenerator<AgentEvent, Outcome | undefined>;
  /** Draws the turn as it goes, where somebody looks at standard output. */
  readonly live?: LiveTurn;
  /** Tells on standard error what of the prompts came from a cache. */
  readonly verbose?: boolean;
  /** What it means that no turn was to be run; absent: that none was cut off. */
  readonly nothing?: string;
}

/** Runs to the end: the final answer on stdout and nothing else there, or the events as JSON lines. Gives the exit code. */
export async function runOneShot({ sessionId, resumed, json, turns, live, verbose, nothing }: OneShot, streams: Streams): Promise<number> {
  const show = json ? undefined : (live?.show ?? createProgressPrinter(streams));
  let held: Extract<AgentEvent, { type: 'settled' }> | undefined;
  const sampled: Usage[] = [];
  let answers: keyof typeof EARLIER = 'cutOff';
  let step = await turns.next();
  // Told with the first event: by then the user's words are durable, and the id leads to something.
  if (json) streams.out(encodeSessionLine(sessionId, resumed));
  for (; ; step = await turns.next()) {
    if (step.done === true) break;
    const event = step.value;
    if (event.type === 'sampled') sampled.push(event.usage);
    // Only the last turn's outcome is this command's; what was finished on the way is told as such.
    if (event.type === 'settled') {
      held = event;
      continue;
    }
    if (held !== undefined) {
      report({ type: 'notice', text: describeEarlier(EARLIER[answers], held.outcome) });
      answers = 'cutOff';
    }
    held = undefined;
    if (opensTurn(event)) answers = 'waiting';
    report(event);
  }
  return held === undefined ? nothingToDo() : finish(held.outcome);

  function report(event: AgentEvent): void {
    if (json) streams.out(encodeEventLine(event));
    else show?.(event);
  }
  function finish(outcome: Outcome): number {
    if (json) streams.out(encodeEventLine({ type: 'settled', outcome }));
    else tell(outcome);
    if (verbose === true) streams.err(`${describeCacheUse(sampled)}\n`);
    return toExitCode(outcome);
  }
  function tell(outcome: Outcome): void {
    const stop = describeStop(outcome, sessionId);
    const ours = outcome.type === 'failed' || (outcome.type !== 'answered' && outcome.words === 'ours');
    if (live !== undefined) live.answer(ours ? '' : outcome.text);
    // Who stops a pipe gets nothing half-done from it.
    else if (!ours && !isStoppedByPerson(outcome)) streams.out(endLine(streams.onScreen ? toPrintable(outcome.text) : outcome.text));
    if (stop !== undefined) streams.err(fitLines(toPrintable(stop)));
    else if (ours) streams.err(`${fitLines(toPrintable(outcome.text))}\n`);
  }
  function nothingToDo(): number {
    if (json) streams.out(NOTHING_TO_DO);
    else
      streams.err(`${nothing ?? `Session ${sessionId} has no unfinished turn. To go on: hermes chat --resume ${sessionId} -q "go on"`}\n`);
    return 0;
  }
}

function describeCacheUse(usages: readonly Usage[]): string {
  const usage = usages.reduce(addUsage, NO_USAGE);
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  const share = computeCacheShare(usage);
  if (share === undefined) return 'Prompt cache: not known; the server counted no tokens.';
  return `Prompt cache: ${Math.round(share * 100)}% of ${prompt} prompt tokens came from it, ${usage.cacheWrite} were written to it.`;
}

/** What an earlier turn was, when it is over before ours begins. */
const EARLIER = { cutOff: 'The turn that was cut off is finished', waiting: 'Answer to a message that was waiting' } as const;

/** Its answer is shown nowhere else. */
const describeEarlier = (what: string, { exitReason, text }: Outcome): string =>
  `${what}${exitReason === 'answered' ? '' : ` (${exitReason})`}${text.trim() === '' ? '.' : `:\n${text}`}`;

/** A turn that begins says so with the user's words; one that was cut off has said it long ago. */
const opensTurn = (event: AgentEvent): boolean => event.type === 'entry' && event.entry.type === 'message' && event.entry.origin === 'user';

const endLine = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);
