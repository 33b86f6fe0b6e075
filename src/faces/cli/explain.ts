import type { CacheFinding, ExplainedCall } from '../../contracts/services/insight.ts';
import { parseHost } from '../../base/http.ts';
import { toOneLine } from '../../base/printable.ts';
import type { PrefixSegment } from '../../contracts/provider.ts';
import type { CallRecord } from '../../contracts/ledger.ts';
import { drawBar, formatDollars, formatPercent, formatWhole } from '../../base/screen/figures.ts';
import type { Paint } from '../../base/screen/paint.ts';
import type { Screen } from '../../base/screen/screen.ts';
import { computeCacheShare } from '../../commands/usage-sums.ts';
import { formatDuration, formatMoment } from '../../base/screen/when.ts';

export function drawExplained({ call, previous, finding }: ExplainedCall, { paint }: Screen): string {
  const { runtime, usage } = call;
  const share = computeCacheShare(usage);
  const tokens = `${formatWhole(usage.input)} input · ${formatWhole(usage.cacheRead)} cache read · ${formatWhole(usage.cacheWrite)} cache write · ${formatWhole(usage.output)} output (${formatWhole(usage.reasoning)} reasoning)`;
  const lines = [
    [paint.strong(`Call ${call.id}`), paint.faint(`${formatMoment(call.at)} · session ${call.sessionId}`)].join('  '),
    row(
      'model',
      `${toOneLine(runtime.provider)} ${toOneLine(runtime.model)} · ${runtime.protocol} · ${parseHost(runtime.baseUrl) || runtime.baseUrl}`,
    ),
    row('result', describeResult(call)),
    row('tokens', tokens),
    row('price', call.price === undefined ? 'unknown' : formatDollars(call.price)),
    row('cache', `${paint.good(drawBar(share ?? 0, 20))} ${formatPercent(share)} · marks ${call.cacheTtl}`),
    row(
      'against',
      previous === undefined
        ? 'no earlier answered call in this session'
        : `${previous.id}, ${formatDuration(call.at - previous.at)} earlier`,
    ),
    '',
    `${finding.cause === 'cache_used' ? paint.good('✓') : paint.warn('!')} ${paint.strong(finding.segment === undefined ? '' : `first difference: ${finding.segment}`)}${finding.segment === undefined ? '' : ' — '}${toOneLine(finding.words)}`,
    '',
    ...segmentLines(call, previous, finding, paint),
  ];
  return `${lines.join('\n')}\n`;
}

const OPEN: Readonly<Record<string, string>> = {
  running: 'not known yet: counted at the most it may cost',
  lost: 'lost with its process: counted at the most it may have cost',
};
const describeResult = ({ result, ms }: CallRecord): string => OPEN[result] ?? `${result.replaceAll('_', ' ')} after ${formatDuration(ms)}`;

const row = (name: string, words: string): string => `  ${name.padEnd(8)} ${words}`;

/** Segments shown around the first difference; of a long transcript the rest says nothing. */
const AROUND = 8;

function segmentLines(call: CallRecord, previous: CallRecord | undefined, { kept }: CacheFinding, paint: Paint): string[] {
  const first = Math.max(0, Math.min(kept, call.segments.length) - AROUND);
  const shown = call.segments.slice(first, first + 2 * AROUND);
  const lines = shown.map(
    (segment, offset) =>
      `  ${stateOf(first + offset, segment, kept, previous, paint)} ${segment.name.padEnd(12)} ${paint.faint(segment.hash)}`,
  );
  const after = call.segments.length - first - shown.length;
  return [
    ...(first === 0 ? [] : [paint.faint(`  = ${first} segments as before`)]),
    ...lines,
    ...(after === 0 ? [] : [paint.faint(`  … ${after} more`)]),
  ];
}

/** `=` stands in the prefix, `≠` is other than before, `~` is the same but behind a difference, `+` is new. */
function stateOf(index: number, { hash }: PrefixSegment, kept: number, previous: CallRecord | undefined, paint: Paint): string {
  if (index < kept) return paint.good('=');
  const was = previous?.segments[index];
  if (was === undefined) return paint.accent('+');
  return was.hash === hash ? paint.faint('~') : paint.bad('≠');
}

export const toExplainedJson = ({ call, previous, finding }: ExplainedCall) => ({
  call: call.id,
  session: call.sessionId,
  at: new Date(call.at).toISOString(),
  provider: call.runtime.provider,
  model: call.runtime.model,
  protocol: call.runtime.protocol,
  result: call.result,
  ...call.usage,
  cacheShare: computeCacheShare(call.usage) ?? null,
  price: call.price ?? null,
  previous: previous?.id ?? null,
  firstDifference: finding.segment ?? null,
  cause: finding.cause,
  words: finding.words,
  segments: call.segments.map((segment, index) => ({ ...segment, same: index < finding.kept })),
});
