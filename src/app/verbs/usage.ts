import { answeredBefore, explainCall } from '../../agent/attribution.ts';
import { UsageError } from '../../base/errors.ts';
import type { Entry } from '../../contracts/entry.ts';
import type { CallRecord, SessionStore } from '../../contracts/session-store.ts';
import { drawExplained, explainedJson, type Explained } from '../../faces/cli/explain.ts';
import { usageJson } from '../../faces/cli/usage-json.ts';
import { drawUsage, type DatedReport, type UsageView } from '../../faces/cli/usage.ts';
import type { UsageFlags } from '../../faces/cli/verbs.ts';
import { startOfDays } from '../../faces/cli/when.ts';
import { processScreen } from '../screen.ts';
import { oneSession, openStore } from '../host/store.ts';

/** Days looked back when nobody says how many. */
const DAYS = 30;

export async function usage(flags: UsageFlags): Promise<number> {
  const screen = processScreen();
  await using store = await openStore(process.env);
  if (flags.explain !== undefined) {
    const explained = await explain(await oneCall(flags.explain, store), store);
    if (flags.json === true) screen.json(explainedJson(explained));
    else screen.out(drawExplained(explained, screen));
    return 0;
  }
  const view = await viewOf(flags, store, screen.now);
  if (flags.json === true) screen.json(usageJson(view));
  else screen.out(drawUsage(view, screen));
  return 0;
}

/** A session is shown whole unless days are named too; `--days 0` means all. */
async function viewOf(flags: UsageFlags, store: SessionStore, now: number): Promise<UsageView> {
  const days = flags.days === 0 ? undefined : (flags.days ?? (flags.session === undefined ? DAYS : undefined));
  const since = days === undefined ? {} : { since: startOfDays(days, now) };
  if (flags.session === undefined) return { calls: await store.calls(since), days, compactions: await store.compactions(since) };
  const session = oneSession(flags.session, await store.find(flags.session));
  const all = await store.calls({ sessionId: session.id });
  const recent = ({ at }: { readonly at: number }) => at >= (since.since ?? 0);
  const calls = all.filter(recent);
  const children = (await store.calls({ childrenOf: session.id })).filter(recent);
  const entries = await store.entries(session.id);
  const findings = calls.map((call) => explainCall(answeredBefore(all, call), call, entries));
  return { calls, days, session, children, findings, compactions: entries.filter(recent).flatMap(reportIn) };
}

const reportIn = (entry: Entry): DatedReport[] => {
  const report = entry.type === 'compaction' ? entry.report : entry.type === 'note' ? entry.compaction : undefined;
  return report === undefined ? [] : [{ ...report, at: entry.at }];
};

async function explain(call: CallRecord, store: SessionStore): Promise<Explained> {
  const previous = answeredBefore(await store.calls({ sessionId: call.sessionId }), call);
  return { call, previous, finding: explainCall(previous, call, await store.entries(call.sessionId)) };
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
