import type { Compressed, CompressAsk, CompressReason } from '../contracts/context-engine.ts';
import type { NewEntry } from '../contracts/entry.ts';
import type { AgentEvent } from '../contracts/event.ts';
import type { Message } from '../contracts/message.ts';
import { systemText } from '../contracts/prompt.ts';
import type { Runtime } from '../contracts/runtime.ts';
import type { In } from '../contracts/turn.ts';
import { BOUNDS } from './bounds.ts';
import type { Advance, TurnDeps } from './deps.ts';
import { calibration, isTooLarge } from './gauge.ts';
import { currentEpoch } from './request.ts';
import { spend } from './state.ts';
import { summaryTrust } from './taint.ts';

/**
 * Before a call: makes the view smaller first when the request would be too large. Only here, where every call of the
 * model has its result; what comes back is committed whole or not at all. `undefined` when there is nothing to do.
 */
export async function* compactFirst(
  state: In<'sample'>,
  estimate: number,
  deps: TurnDeps,
): AsyncGenerator<AgentEvent, Advance | undefined> {
  if ((state.spent['compact'] ?? 0) >= BOUNDS.compact.limit) return undefined;
  if (!(await isTooLarge(estimate, state.runtime, deps))) return undefined;
  const done = yield* compact(deps, state.runtime, { reason: 'threshold' });
  if (done === undefined) return undefined;
  // What was refused rests for a while: the note in the log says so to the next call.
  return { state: { ...state, spent: spend(state.spent, 'compact') }, append: [done.entry] };
}

interface Wish {
  readonly reason: CompressReason;
  readonly focus?: string;
}

/** One compaction, told as it happens. Gives the entry to commit: the compaction, or a note that it was refused. */
export async function* compact(
  deps: TurnDeps,
  runtime: Runtime,
  wish: Wish,
): AsyncGenerator<AgentEvent, { readonly ok: boolean; readonly entry: NewEntry; readonly why?: string } | undefined> {
  const ask = await asked(deps, runtime);
  const tokens = Math.ceil(deps.context.estimate({ ...ask, view: deps.context.view(ask.entries) }) * ask.calibration);
  yield { type: 'compacting', tokens, window: runtime.limits.window, reason: wish.reason };
  const compressed = await deps.context.compress({ ...ask, ...wish });
  if (compressed.report !== undefined) yield { type: 'compacted', report: compressed.report };
  if (compressed.ok) {
    deps.toolkit.forget?.(deps.journal.sessionId);
    return { ok: true, entry: compactionEntry(compressed, deps) };
  }
  const words = `The conversation was not shortened: ${compressed.why}. Everything is shown as before.`;
  // Whoever asked hears why; of its own accord the engine may decline at every step.
  if (compressed.report === undefined && wish.reason === 'asked') yield { type: 'notice', text: words };
  if (compressed.report === undefined) return undefined;
  return { ok: false, why: compressed.why, entry: { type: 'note', origin: 'system', text: words, compaction: compressed.report } };
}

/** What every compaction of this session is asked with. */
export async function asked({ journal, signal }: TurnDeps, runtime: Runtime): Promise<Omit<CompressAsk, 'reason'>> {
  const epoch = currentEpoch(journal.entries);
  const size = { system: systemText(epoch?.slots ?? []), tools: epoch?.tools ?? [] };
  return { entries: journal.entries, ...size, runtime, calibration: await calibration(journal, runtime), signal };
}

/** The entry that changes the view. A summary of foreign words is foreign, whatever its engine says. */
export function compactionEntry({ fromSeq, toSeq, summary, report }: Compressed & { ok: true }, deps: TurnDeps): NewEntry {
  const covered = deps.context.view(
    deps.journal.entries.filter((entry) => entry.type === 'compaction' || (entry.seq >= fromSeq && entry.seq <= toSeq)),
  );
  const label = summaryTrust(covered);
  return {
    type: 'compaction',
    origin: 'summary',
    fromSeq,
    toSeq,
    summary: label.trust === 'foreign' ? labelled(summary, label) : summary,
    report,
  };
}

const labelled = (summary: Message, label: ReturnType<typeof summaryTrust>): Message =>
  summary.role === 'user'
    ? { ...summary, content: summary.content.map((block) => (block.type === 'text' ? { ...block, ...label } : block)) }
    : summary;
