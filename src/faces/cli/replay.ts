import { parseHost } from '../../base/http.ts';
import { toOneLine } from '../../base/printable.ts';
import { isAnswered } from '../../agent/attribution.ts';
import type { ReplayedCall } from '../../contracts/services/insight.ts';
import type { Entry } from '../../contracts/entry.ts';
import type { Session } from '../../contracts/session-store.ts';
import { replay } from '../../commands/replay.ts';
import { drawEntry, type ScreenText } from './entries.ts';
import { renderCommand, type RendererRow } from './renderer.ts';
import { formatCount, formatWhole } from '../../base/screen/figures.ts';
import type { Paint } from '../../base/screen/paint.ts';
import { formatDuration } from '../../base/screen/when.ts';

/** The session as it went: each entry where it came, and each request with the verdict on its bytes. */
export function* drawReplay(
  session: Session,
  entries: readonly Entry[],
  calls: readonly ReplayedCall[],
  paint: Paint,
): Generator<ScreenText> {
  yield {
    text: `${paint.strong(`Replay of session ${session.id}`)}${session.title === undefined ? '' : ` “${toOneLine(session.title)}”`}\n\n`,
  };
  let shown = 0;
  for (const [index, replayed] of calls.entries()) {
    const { throughSeq } = replayed.call;
    yield* drawEntries(shown, throughSeq);
    shown = Math.max(shown, throughSeq);
    yield { text: drawCall(index + 1, replayed, paint) };
  }
  yield* drawEntries(shown, Infinity);
  yield { text: verdict(calls, paint) };

  function* drawEntries(after: number, through: number): Generator<ScreenText> {
    for (const entry of entries) if (entry.seq > after && entry.seq <= through) yield* drawEntry(entry, paint);
  }
}

function drawCall(number: number, replayed: ReplayedCall, paint: Paint): string {
  const { call } = replayed;
  const { provider, model, protocol, baseUrl } = call.runtime;
  const where = `${toOneLine(provider)} ${toOneLine(model)} · ${protocol} · ${parseHost(baseUrl) || 'no host'}`;
  const what = `${formatWhole(call.bodyBytes)} bytes · ${formatCount(messagesIn(replayed), 'message')} · ${call.id}`;
  return `${paint.strong(`→ #${number}`)} ${where} ${paint.faint(`· ${what}`)}\n  ${judgement(replayed, paint)}${answer(replayed, paint)}\n`;
}

const messagesIn = ({ call }: ReplayedCall): number => call.segments.filter(({ name }) => name.startsWith('message:')).length;

function judgement({ identical, firstDifference, rebuiltHash, call }: ReplayedCall, paint: Paint): string {
  if (identical) return `${paint.good('✓ identical')} ${paint.faint(`sha256 ${call.bodyHash.slice(0, 12)}`)}`;
  if (rebuiltHash === undefined) return paint.bad('✗ cannot be rebuilt: the log holds no prompt for it');
  return `${paint.bad(`✗ differs first at ${firstDifference ?? 'parameters'}`)} ${paint.faint(`sha256 ${call.bodyHash.slice(0, 12)} sent, ${rebuiltHash.slice(0, 12)} rebuilt`)}`;
}

/** An answer stands in the log right below; of a call that failed this line is all there is. */
function answer({ call }: ReplayedCall, paint: Paint): string {
  const took = paint.faint(` · ${formatDuration(call.ms)}`);
  return isAnswered(call) ? took : `${took} ${paint.warn(`· ${call.result.replaceAll('_', ' ')}`)}`;
}

function verdict(calls: readonly ReplayedCall[], paint: Paint): string {
  const different = calls.filter((call) => !call.identical).length;
  const bytes = calls.reduce((sum, { call }) => sum + call.bodyBytes, 0);
  if (calls.length === 0) return 'No model was called in this session yet.\n';
  if (different === 0)
    return `${paint.good(`✓ ${calls.length === 1 ? 'The one request is' : `All ${calls.length} requests are`} identical`)} to what was sent, byte for byte (${formatWhole(bytes)} bytes). No network, no key.\n`;
  return `${paint.bad(`✗ ${different} of ${formatCount(calls.length, 'request')} differ`)} from what was sent: the log was changed afterwards, or this version of hermes encodes differently.\n`;
}

/** A row a call, as scripts read it. */
export const toReplayRow = ({ call, identical, rebuiltHash, firstDifference }: ReplayedCall) => ({
  call: call.id,
  at: new Date(call.at).toISOString(),
  provider: call.runtime.provider,
  model: call.runtime.model,
  protocol: call.runtime.protocol,
  bytes: call.bodyBytes,
  identical,
  recordedHash: call.bodyHash,
  rebuiltHash: rebuiltHash ?? null,
  firstDifference: firstDifference ?? null,
});

export const ROWS: readonly RendererRow[] = [
  renderCommand(replay, {
    text: ({ session, entries, calls }, { paint }) => drawReplay(session, entries, calls, paint),
    json: ({ calls }) => calls.map(toReplayRow),
  }),
];
