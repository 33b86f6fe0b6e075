import { UsageError } from '../base/errors.ts';
import { formatDay, startOfDays } from '../base/screen/when.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { CompactionReport, Entry } from '../contracts/entry.ts';
import type { AttributionService, CacheFinding, ExplainedCall } from '../contracts/services/insight.ts';
import type { Session, SessionStore } from '../contracts/session-store.ts';
import type { CallRecord } from '../contracts/ledger.ts';
import { findSession } from './find-session.ts';
import { sumCompactions, describeSum, groupCallsBy, sumCallUsage, type CompactionTotal, type CallSum } from './usage-sums.ts';

/** Days looked back when nobody says how many. */
const DAYS = 30;

/** Why one call missed the cache, or what a stretch of days or a session took. */
export type UsageResult = { readonly explained: ExplainedCall } | { readonly usage: UsageSummary };

/** What it is about: a stretch of days, or one session with a finding for each call. */
export interface UsageScope {
  readonly calls: readonly CallRecord[];
  /** Days looked back; `undefined` means all. */
  readonly days: number | undefined;
  readonly session?: Session;
  /** Calls of the children that worked for the session: part of what it cost. Over days every call counts with its own session. */
  readonly children?: readonly CallRecord[];
  readonly findings?: readonly CacheFinding[];
  /** Every compaction of that stretch or session, tried or done. */
  readonly compactions?: readonly DatedReport[];
}
export interface DatedReport extends CompactionReport {
  readonly at: number;
}
/** The same, added up. */
export interface UsageSummary extends UsageScope {
  /** Children included. */
  readonly total: CallSum;
  /** Calls for notes apart from the session's own, also where the same model writes them. */
  readonly models: readonly ModelSum[];
  readonly childTotal?: { readonly sessions: number; readonly sum: CallSum };
  readonly byDay: readonly { readonly day: string; readonly sum: CallSum }[];
  readonly compactionTotal: CompactionTotal;
}
export interface ModelSum {
  readonly provider: string;
  readonly model: string;
  readonly purpose?: string;
  readonly sum: CallSum;
}

export const usage = defineCommand({
  name: 'usage',
  category: 'insight',
  summary: 'Show tokens, cache share and cost',
  options: {
    session: { kind: 'text', placeholder: 'id', completes: 'session', description: 'only this session', session: '' },
    explain: { kind: 'text', placeholder: 'call', description: 'explain why a call missed the cache' },
    days: {
      kind: 'whole_number',
      placeholder: 'n',
      description: 'only the last n days; 0 means all (default: 30, or all of a named session)',
    },
  },
  where: ['shell', 'terminal', 'chat'],
  whileBusy: 'run',
  json: 'as JSON',
  examples: ['hermes usage --days 7', 'hermes usage --session 20260101_120000_ab12cd --json'],
  needs: ['store', 'attribution'],
  run: async (values, { store, attribution }, { now }): Promise<UsageResult> => {
    if (values.explain === undefined) return { usage: summarize(await scopeOf(values, store, attribution, now)) };
    const call = await oneCall(values.explain, store);
    const calls = await store.calls({ sessionId: call.sessionId });
    return { explained: attribution.explain(call, calls, await store.entries(call.sessionId)) };
  },
  describe: (result) => ('usage' in result ? describeUsage(result.usage) : JSON.stringify(result.explained, undefined, 2)),
});

function describeUsage({ total, models, childTotal }: UsageSummary): string {
  if (total.calls === 0) return 'No calls yet.';
  const rows = models.map(
    ({ provider, model, purpose, sum }) => `${provider} ${model}${purpose === undefined ? '' : ` (${purpose})`}: ${describeSum(sum)}`,
  );
  const children = childTotal === undefined ? [] : [`children: ${describeSum(childTotal.sum)}`];
  return [describeSum(total), ...rows, ...children].join('\n');
}

interface UsageOptions {
  readonly session?: string;
  readonly days?: number;
}

/** A session is shown whole unless days are named too; `--days 0` means all. */
async function scopeOf(options: UsageOptions, store: SessionStore, attribution: AttributionService, now: number): Promise<UsageScope> {
  const days = options.days === 0 ? undefined : (options.days ?? (options.session === undefined ? DAYS : undefined));
  const since = days === undefined ? {} : { since: startOfDays(days, now) };
  if (options.session === undefined) return { calls: await store.calls(since), days, compactions: await store.compactions(since) };
  const session = await findSession(options.session, store);
  const all = await store.calls({ sessionId: session.id });
  const recent = ({ at }: { readonly at: number }) => at >= (since.since ?? 0);
  const calls = all.filter(recent);
  const children = (await store.calls({ childrenOf: session.id })).filter(recent);
  const entries = await store.entries(session.id);
  const findings = calls.map((call) => attribution.explain(call, all, entries).finding);
  return { calls, days, session, children, findings, compactions: entries.filter(recent).flatMap(reportIn) };
}

const reportIn = (entry: Entry): DatedReport[] => {
  const report = entry.type === 'compaction' ? entry.report : entry.type === 'note' ? entry.compaction : undefined;
  return report === undefined ? [] : [{ ...report, at: entry.at }];
};

/** Adds up what was found. */
export function summarize(scope: UsageScope): UsageSummary {
  const { calls, children = [], compactions = [] } = scope;
  const all = [...calls, ...children];
  return {
    ...scope,
    total: sumCallUsage(all),
    models: [...groupCallsBy(calls, modelKey).values()].map(modelSum),
    ...(children.length > 0 && {
      childTotal: { sessions: groupCallsBy(children, (call) => call.sessionId).size, sum: sumCallUsage(children) },
    }),
    byDay: [...groupCallsBy(all, (call) => formatDay(call.at))].map(([day, group]) => ({ day, sum: sumCallUsage(group) })),
    compactionTotal: sumCompactions(compactions, calls),
  };
}
const modelKey = ({ runtime, purpose }: CallRecord): string => JSON.stringify([runtime.provider, runtime.model, purpose]);
function modelSum(calls: readonly CallRecord[]): ModelSum {
  const [first] = calls;
  if (first === undefined) throw new Error('a group has at least one call');
  const { runtime, purpose } = first;
  return { provider: runtime.provider, model: runtime.model, ...(purpose !== undefined && { purpose }), sum: sumCallUsage(calls) };
}

/** An id or a unique beginning of one. Ids begin with their time, so a beginning says from when on to look. */
async function oneCall(ref: string, store: SessionStore): Promise<CallRecord> {
  const [exact] = await store.calls({ id: ref });
  if (exact !== undefined) return exact;
  const hex = /^c_([0-9a-f]+)$/.exec(ref)?.[1] ?? '';
  const since = Number.parseInt(hex.slice(0, 11).padEnd(11, '0'), 16);
  const found = hex === '' ? [] : (await store.calls({ since })).filter(({ id }) => id.startsWith(ref));
  const [first, second] = found;
  if (first === undefined) throw new UsageError(`there is no call ${ref}; hermes usage --session ID lists the calls of a session.`);
  if (second !== undefined)
    throw new UsageError(
      `${ref} could be ${found
        .slice(0, 5)
        .map(({ id }) => id)
        .join(', ')}${found.length > 5 ? ', …' : ''}; name one of them.`,
    );
  return first;
}
