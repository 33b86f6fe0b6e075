import { formatCount, formatPercent, formatShort } from '../base/screen/figures.ts';
import { formatMoment } from '../base/screen/when.ts';
import { createRewoundCheck, isMessageEntry, type Entry, type LogMessage } from '../contracts/entry.ts';
import type { CallRecord } from '../contracts/ledger.ts';
import { collectToolCalls } from '../contracts/message.ts';
import type { Session } from '../contracts/session-store.ts';
import { describeCost } from './draw-insights.ts';
import { countTokens } from './insight-sums.ts';
import { sumCallUsage } from './usage-sums.ts';
import { collectMarkKeys } from './page-fences.ts';
import { CODE_STYLE } from './page-highlight.ts';
import { markup, type Markup } from './page-markup.ts';
import { createPage } from './page-shell.ts';
import { drawEntry, type TranscriptScope } from './page-transcript.ts';

export interface SessionPageOptions {
  readonly session: Session;
  readonly entries: readonly Entry[];
  /** The session's model calls. */
  readonly calls: readonly CallRecord[];
}

/** A session as one page that reads well: what was said in the open, what was done and thought folded, what was taken back marked. */
export function createSessionPage({ session, entries, calls }: SessionPageOptions): string {
  const isRewound = createRewoundCheck(entries);
  const scope = createScope(entries, calls);
  const title = session.title ?? session.id;
  const body = markup`${drawHead(title, session, calls)}
<main>
${entries.map((entry) => drawEntry(entry, isRewound(entry.seq), scope))}</main>`;
  return createPage({ title, style: CODE_STYLE + STYLE, body });
}

function drawHead(title: string, session: Session, calls: readonly CallRecord[]): Markup {
  const sum = sumCallUsage(calls);
  const cost =
    sum.calls === 0
      ? []
      : [
          formatCount(sum.calls, 'model call'),
          `${formatShort(countTokens(sum))} tokens`,
          `${formatPercent(sum.cacheShare)} from cache`,
          describeCost(sum),
        ];
  const facts = [
    `${formatMoment(session.startedAt)} to ${formatMoment(session.updatedAt)}`,
    `${session.provider} ${session.model}`,
    session.source,
    session.cwd,
    formatCount(session.messages, 'message'),
    ...cost,
  ];
  return markup`<header><h1>${title}</h1><p class="faint">${session.id}</p><ul class="facts">${facts.map((fact) => markup`<li>${fact}</li>`)}</ul></header>`;
}

/** Results by the call they answer. Ids of calls may come again in later turns: a result belongs to the last message before it that asked so. */
function createScope(entries: readonly Entry[], calls: readonly CallRecord[]): TranscriptScope {
  const results = new Map<string, LogMessage>();
  const taken = new Set<string>();
  const asked = new Map<string, string>();
  for (const entry of entries.filter(isMessageEntry)) {
    const { message } = entry;
    if (message.role === 'assistant') for (const { id } of collectToolCalls(message)) asked.set(id, entry.id);
    const by = message.role === 'tool' ? asked.get(message.callId) : undefined;
    if (message.role !== 'tool' || by === undefined) continue;
    results.set(`${by} ${message.callId}`, entry);
    taken.add(entry.id);
  }
  const byTurn = Map.groupBy(calls, ({ turnId }) => turnId);
  return {
    keys: collectMarkKeys(entries),
    resultOf: (entryId, callId) => results.get(`${entryId} ${callId}`),
    isTaken: (entryId) => taken.has(entryId),
    callsOf: (turnId) => byTurn.get(turnId) ?? [],
  };
}

/** The steps of a turn are one card: nobody needs to be told at each of them who speaks. */
const STYLE = `
.facts { display: flex; flex-wrap: wrap; gap: .1rem .9rem; list-style: none; padding: 0; margin: .4rem 0 1.5rem; color: var(--faint); font-size: .9rem; }
article { border: 1px solid var(--line); border-radius: 10px; background: var(--card); padding: .7rem 1rem; margin: .8rem 0; }
article > header { display: flex; align-items: baseline; gap: .6rem; font-size: .85rem; color: var(--faint); }
article > header time { margin-left: auto; white-space: nowrap; }
article p { margin: .5rem 0; }
.model:has(+ .model) { border-bottom: 0; border-bottom-left-radius: 0; border-bottom-right-radius: 0; padding-bottom: 0; }
.model + .model { margin-top: -.8rem; border-top: 0; border-top-left-radius: 0; border-top-right-radius: 0; padding-top: .2rem; }
.model + .model:not(.rewound) > header { display: none; }
.user { background: var(--mark); border-color: transparent; margin-left: 8%; }
.user pre, .user :not(pre) > code { background: var(--card); }
.user > header strong { color: var(--accent); }
.beside, .note { background: transparent; border-style: dashed; font-size: .9rem; color: var(--faint); padding: .35rem 1rem; }
.rewound { opacity: .62; border-left: 4px solid var(--warn); }
.tag { color: var(--warn); border: 1px solid currentColor; border-radius: 4px; padding: 0 .35rem; font-size: .75rem; }
.good { color: var(--good); }
.label { color: var(--faint); font-size: .8rem; margin: .6rem 0 .1rem; }
details { margin: .45rem 0; }
details > :not(summary) { margin-left: .9rem; }
details.call { border-left: 3px solid var(--line); padding-left: .7rem; }
details.thinking { color: var(--faint); font-style: italic; }
details.fence { border-left: 3px solid var(--warn); padding-left: .7rem; }
summary code { white-space: pre-wrap; }
img { max-width: 100%; height: auto; border-radius: 6px; }
blockquote { margin: .5rem 0; padding-left: .8rem; border-left: 3px solid var(--line); color: var(--faint); }
h3, h4, h5, h6 { margin: .9rem 0 .3rem; line-height: 1.3; }
ul, ol { padding-left: 1.4rem; }
@media (max-width: 36rem) { .user { margin-left: 0; } article { padding: .6rem .75rem; } }
@media print { details { break-inside: avoid; } article { break-inside: auto; } }
`;
