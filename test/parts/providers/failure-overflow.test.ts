import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BACKOFF } from '../../../src/agent/bounds.ts';
import type { Failure, FailureType } from '../../../src/contracts/failure.ts';
import { classify, type Evidence } from '../../../src/parts/providers/failure/failure.ts';

/** A row of `test/fixtures/failures/overflow`; its README says what the fields mean. */
interface Row {
  readonly id: string;
  readonly provider: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  readonly expected: keyof typeof KINDS;
  readonly window: number | null;
  readonly request_limit: number | null;
  readonly output_limit: number | null;
  readonly estimate: number;
  readonly believed_window: number;
}
interface Verdict {
  readonly row: Row;
  readonly failure: Failure;
  readonly right: boolean;
}

/** Which of our failures stand for a kind of the corpus. */
const KINDS = {
  overflow: ['context_overflow'],
  output_cap: ['output_cap'],
  rate_limit: ['rate_limited', 'upstream_limited'],
  quota: ['billing'],
  payload: ['payload_too_large', 'image_refused'],
  overloaded: ['overloaded', 'server_error', 'timeout'],
  auth: ['unauthorized', 'forbidden'],
  not_found: ['model_not_found', 'endpoint_not_found'],
  invalid: [
    'bad_request',
    'parameter_refused',
    'schema_refused',
    'tool_content_refused',
    'bad_signature',
    'content_blocked',
    'streaming_refused',
  ],
} as const satisfies Record<string, readonly FailureType[]>;

/** Failures that make the next request smaller: an overflow under any of these names does not end the turn. */
const SHRUNK: readonly FailureType[] = ['context_overflow', 'payload_too_large'];

/** Before every date of the corpus. */
const NOW = Date.parse('2026-01-01T00:00:00Z');
const ROOT = join(import.meta.dirname, '../../fixtures/failures/overflow');

function judgeRow(row: Row): Verdict {
  const failure = classify(evidenceOf(row));
  const kinds: readonly FailureType[] = KINDS[row.expected];
  return { row, failure, right: kinds.includes(failure.type) || (row.expected === 'quota' && isSpentPeriod(failure)) };
}

/** An allowance with a stated end is not waited for either when that is further off than a turn's patience. */
const isSpentPeriod = (failure: Failure): boolean =>
  failure.type === 'rate_limited' && (failure.retryAfterMs ?? 0) > BACKOFF.retryAfterCapMs;

/** An error inside a stream is handed over as its frame, as the client does. */
function evidenceOf({ provider, status, headers = {}, body, estimate, believed_window: window }: Row): Evidence {
  const route = { provider, model: 'm', protocol: 'openai-chat', estimate, window, now: NOW } as const;
  const frame = /(?:^|\n)data: ?(.*)/.exec(body)?.[1];
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (frame === undefined) return { where: 'http', status, headers: lower, body, ...route };
  const event = /(?:^|\n)event: ?(.*)/.exec(body)?.[1];
  return { where: 'frame', status, headers: lower, body: frame, ...(event !== undefined && { event }), ...route };
}

function verdictsOf(half: 'tune' | 'tune-wordings' | 'held-out'): Verdict[] {
  const lines = readFileSync(join(ROOT, `${half}.jsonl`), 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => judgeRow(JSON.parse(line)));
}

/** A limit that was read where the row states another, or none. */
const misread = ({ row, failure }: Verdict): boolean =>
  failure.type === 'context_overflow' &&
  failure.limit !== undefined &&
  failure.inferred === undefined &&
  failure.limit !== (row.window ?? row.request_limit);
const unread = ({ row, failure }: Verdict): boolean =>
  failure.type === 'context_overflow' && failure.limit === undefined && (row.window ?? row.request_limit) !== null;
const ended = ({ row, failure }: Verdict): boolean => row.expected === 'overflow' && !SHRUNK.includes(failure.type);

/** Totals alone: what a held-out row says stays unread. */
function report(verdicts: readonly Verdict[]): { readonly share: number; readonly lines: readonly string[] } {
  const kinds = Map.groupBy(verdicts, ({ row }) => row.expected);
  const lines = [...kinds].map(([kind, rows]) => `${kind}: ${rows.filter(({ right }) => right).length} of ${rows.length}`);
  const right = verdicts.filter((verdict) => verdict.right).length;
  const sums = [`all: ${right} of ${verdicts.length}`, `overflow that ends a turn: ${verdicts.filter(ended).length}`];
  const limits = [`limit misread: ${verdicts.filter(misread).length}`, `limit not read: ${verdicts.filter(unread).length}`];
  return { share: right / verdicts.length, lines: [...lines, ...sums, ...limits] };
}

/** What is reached, and must not get worse: the share named rightly, overflows that end a turn, windows read from other figures. */
const REACHED = {
  tune: { share: 0.97, ended: 0, misread: 0 },
  'tune-wordings': { share: 0.97, ended: 3, misread: 0 },
} as const;

for (const half of ['tune', 'tune-wordings'] as const)
  test(`overflows are told from rate limits, quotas and near misses: ${half}`, (t) => {
    const verdicts = verdictsOf(half);
    const { share, lines } = report(verdicts);
    for (const line of lines) t.diagnostic(line);
    for (const verdict of verdicts.filter((one) => !one.right || misread(one) || unread(one)))
      t.diagnostic(`${verdict.row.id}: ${JSON.stringify(verdict.failure)}`);
    assert.ok(share >= REACHED[half].share);
    assert.ok(verdicts.filter(ended).length <= REACHED[half].ended);
    assert.ok(verdicts.filter(misread).length <= REACHED[half].misread);
  });

test('overflows are told from rate limits, quotas and near misses: held out', (t) => {
  const verdicts = verdictsOf('held-out');
  const { share, lines } = report(verdicts);
  for (const line of lines) t.diagnostic(line);
  // The goal is 0.97 and 0; this is what is reached, and it must not get worse.
  assert.ok(share >= 0.93);
  assert.ok(verdicts.filter(ended).length <= 4);
});
