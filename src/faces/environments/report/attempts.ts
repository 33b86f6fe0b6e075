import { formatCount, formatShort } from '../../../base/screen/figures.ts';
import { formatDuration } from '../../../base/screen/when.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { ScoredAttempt, TrajectoryMessage } from '../../../contracts/environment.ts';
import { markup, type Markup } from '../../../commands/page-markup.ts';
import { drawConversation } from './conversation.ts';
import { COLORS, compareGroups, drawLegend, OUTCOMES, outcomeOf, section } from './marks.ts';

export interface ReportedAttempt {
  readonly scored: ScoredAttempt;
  readonly messages: readonly TrajectoryMessage[];
}
/** Characters of all conversations in a page: more than this no browser opens gladly. */
const MAX_CONVERSATIONS = 24_000_000;

/** A value as the name of a class: values come from anywhere. */
const classOf = (kind: string, value: string): string => `${kind}-${sha256(value).slice(0, 10)}`;
const idOf = ({ task, attempt }: ScoredAttempt): string => `a-${sha256(`${task}\n${attempt}`).slice(0, 12)}`;

interface Filter {
  readonly kind: string;
  readonly title: string;
  readonly valueOf: (attempt: ScoredAttempt) => string | undefined;
  /** Values in this order; by name when left out. */
  readonly order?: readonly string[];
}
const FILTERS: readonly Filter[] = [
  { kind: 'outcome', title: 'Outcome', valueOf: outcomeOf, order: OUTCOMES },
  { kind: 'difficulty', title: 'Difficulty', valueOf: ({ difficulty }) => difficulty },
  { kind: 'category', title: 'Category', valueOf: ({ category }) => category },
];

/** Every attempt in a line, with its conversation folded below it. Filters work without a script: a page runs none. */
export function drawAttempts(attempts: readonly ReportedAttempt[]): Markup {
  let room = MAX_CONVERSATIONS;
  const rows = attempts.map(({ scored, messages }) => {
    room -= JSON.stringify(messages).length;
    return drawAttempt(scored, room < 0 ? undefined : messages);
  });
  return section('Attempts', markup`${FILTERS.map((filter) => drawFilter(filter, attempts))}<div class="attempts">${rows}</div>`);
}

function drawFilter(filter: Filter, attempts: readonly ReportedAttempt[]): Markup | undefined {
  const values = listValues(filter, attempts);
  if (values.length < 2) return undefined;
  const choice = (id: string, words: string, count: number, isFirst = false): Markup =>
    markup`<label><input type="radio" name="${filter.kind}" id="${id}"${isFirst ? markup` checked` : undefined}> ${words} <small>${count}</small></label>`;
  return markup`<fieldset><legend>${filter.title}</legend>${choice(`${filter.kind}-all`, 'all', attempts.length, true)}${values.map(([value, count]) => choice(classOf(filter.kind, value), value, count))}</fieldset>`;
}

function listValues({ valueOf, order }: Filter, attempts: readonly ReportedAttempt[]): readonly (readonly [string, number])[] {
  const groups = Map.groupBy(attempts, ({ scored }) => valueOf(scored) ?? '');
  const rank = (value: string): number => order?.indexOf(value) ?? 0;
  return [...groups]
    .filter(([value]) => value !== '')
    .toSorted(([a], [b]) => rank(a) - rank(b) || compareGroups(a, b))
    .map(([value, rows]) => [value, rows.length]);
}

/** What hides the rows that a filter leaves out. */
export const writeFilterRules = (attempts: readonly ReportedAttempt[]): string =>
  FILTERS.flatMap((filter) =>
    listValues(filter, attempts)
      .map(([value]) => classOf(filter.kind, value))
      .map((name) => `body:has(#${name}:checked) .attempt:not(.${name}) { display: none; }`),
  ).join('\n');

function drawAttempt(scored: ScoredAttempt, messages: readonly TrajectoryMessage[] | undefined): Markup {
  const { task, attempt, reward, turnsUsed, tokensIn, tokensOut, agentSeconds, error, note, difficulty, category } = scored;
  const outcome = outcomeOf(scored);
  const classes = FILTERS.map(({ kind, valueOf }) => classOf(kind, valueOf(scored) ?? '')).join(' ');
  const about = [difficulty, category].filter((word) => word !== undefined).join(' · ');
  return markup`<details class="attempt ${classes}" id="${idOf(scored)}"><summary><i class="dot" style="background: var(--${COLORS[outcome]})"></i><span class="task">${task}<small>${attempt === 1 ? '' : ` attempt ${attempt}`}</small><small class="about">${about}</small></span><span>${outcome}</span><span>${reward.toFixed(reward === 0 || reward === 1 ? 0 : 2)}</span><span>${formatCount(turnsUsed, 'call')}</span><span>${formatShort(tokensIn + tokensOut)} tokens</span><span>${formatDuration(agentSeconds * 1_000)}</span></summary>${error === undefined ? undefined : markup`<p class="bad text">${error}</p>`}${note === undefined ? undefined : markup`<p class="faint text">${note}</p>`}${messages === undefined ? markup`<p class="faint">The page has no room for this conversation. It is in samples.jsonl.</p>` : drawConversation(messages)}</details>`;
}

/** All tasks with a square for each attempt: what is hard, and what is luck. */
export function drawTaskGrid(attempts: readonly ReportedAttempt[]): Markup {
  const tasks = [...Map.groupBy(attempts, ({ scored }) => scored.task)];
  const rows = tasks.map(
    ([task, tries]) =>
      markup`<li><span class="name">${task}</span><span class="squares">${tries.map(({ scored }) => markup`<a href="#${idOf(scored)}" title="${task} ${scored.attempt}: ${outcomeOf(scored)}, reward ${scored.reward}" style="background: var(--${COLORS[outcomeOf(scored)]})"></a>`)}</span></li>`,
  );
  return section('Tasks at a glance', markup`${drawLegend()}<ul class="grid">${rows}</ul>`);
}

export const ATTEMPTS_STYLE = `
fieldset { border: 0; margin: 0 0 .5rem; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem .4rem; align-items: center; font-size: .88rem; }
legend { float: left; width: 6rem; padding: 0; color: var(--faint); }
fieldset label { border: 1px solid var(--line); border-radius: 999px; padding: .1rem .7rem; cursor: pointer; }
fieldset label:has(:checked) { border-color: var(--accent); background: var(--mark); color: var(--accent); }
fieldset label:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; }
fieldset input { position: absolute; opacity: 0; pointer-events: none; }
fieldset small { color: var(--faint); }
.attempts { margin-top: .8rem; border-top: 1px solid var(--line); }
.attempt { border-bottom: 1px solid var(--line); padding: .4rem 0; }
.attempt:target { background: var(--mark); }
.attempt > summary { display: grid; grid-template-columns: .9rem minmax(8rem, 1fr) 4.5rem 3rem 5rem 7rem 4.5rem; gap: .7rem; align-items: baseline; color: var(--ink); font-size: .92rem; font-variant-numeric: tabular-nums; list-style: none; }
.attempt > summary > span:nth-child(n + 4) { text-align: right; color: var(--faint); }
.attempt[open] > summary .task { font-weight: 600; }
.attempt small { color: var(--faint); }
.attempt .about { display: block; font-weight: 400; }
.text { white-space: pre-wrap; margin: .4rem 0; }
.dot { display: inline-block; width: .72rem; height: .72rem; border-radius: 3px; }
.grid { list-style: none; margin: .4rem 0 0; padding: 0; columns: 21rem auto; column-gap: 2rem; font-size: .88rem; }
.grid li { display: flex; justify-content: space-between; gap: 1rem; break-inside: avoid; padding: .14rem 0; }
.squares { display: flex; flex-wrap: wrap; gap: 3px; justify-content: flex-end; align-content: center; }
.squares a { width: .85rem; height: .85rem; border-radius: 3px; }
@media (max-width: 46rem) { .attempt > summary { grid-template-columns: .9rem 1fr 4rem 3rem; } .attempt > summary > span:nth-child(n + 5) { display: none; } }
`;
