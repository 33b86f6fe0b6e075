/** Puts filler around the sessions of a scenario, and gives every turn its time. */
import type { Chat, Session, Turn } from './corpus.ts';
import { between, pick, tell, type Exchange, type Random } from './filler.ts';
import type { Scenario, ScenarioTurn } from './scenario.ts';
import { holds, normalize } from './text.ts';

const MAX_SESSIONS = 12;
const MAX_TURNS = 20;
const SHORT_TURNS = 5;
/** A share of the sessions stays short: memory must not need a long one. */
const SHORT_SHARE = 0.35;
/** Characters of a whole history. A sign of a script without spaces says about as much as three letters. */
const SIZE = { letters: [15_000, 28_000], signs: [9_000, 13_000] } as const;
const WITH_SIGNS = new Set(['zh', 'ja', 'ko']);

interface Draft {
  readonly date: string;
  readonly chat: Chat;
  room: number;
  before: ScenarioTurn[];
  readonly turns: readonly ScenarioTurn[];
  after: ScenarioTurn[];
}

export function fillSessions(scenario: Scenario, exchanges: readonly Exchange[], random: Random): readonly Omit<Session, 'id'>[] {
  const drafts = [...scenario.sessions.map((session) => draftOf(session, random)), ...emptyDrafts(scenario, random)];
  const [least, most] = WITH_SIGNS.has(scenario.languages[0] ?? '') ? SIZE.signs : SIZE.letters;
  const wanted = between(random, least, most);
  const reserved = reservedStrings(scenario);
  let size = sizeOf(drafts.flatMap(({ turns }) => turns));
  for (const exchange of exchanges) {
    if (size >= wanted) break;
    const draft = draftFor(exchange, drafts, random);
    if (draft === undefined) break;
    const told = tell(exchange, pick(random, draft.chat.members), random);
    if (touches(told, reserved)) continue;
    if (draft.turns.length > 0 && random() < 0.5) draft.before.push(...told);
    else draft.after.push(...told);
    size += sizeOf(told);
  }
  return drafts
    .filter((draft) => lengthOf(draft) > 0)
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
    .map((draft) => timed(draft, random));
}

/** A session without a word first, then any with room, then any that can be longer. */
function draftFor({ length }: Exchange, drafts: readonly Draft[], random: Random): Draft | undefined {
  const withRoom = drafts.filter((draft) => lengthOf(draft) + length <= draft.room);
  const silent = withRoom.filter((draft) => lengthOf(draft) === 0);
  const open = silent.length > 0 ? silent : withRoom;
  if (open.length > 0) return pick(random, open);
  const longer = drafts.filter((draft) => lengthOf(draft) + length <= MAX_TURNS);
  if (longer.length === 0) return undefined;
  const draft = pick(random, longer);
  draft.room = MAX_TURNS;
  return draft;
}

function draftOf({ date, chat, turns }: Pick<Draft, 'date' | 'chat' | 'turns'>, random: Random): Draft {
  const room = random() < SHORT_SHARE ? SHORT_TURNS : between(random, SHORT_TURNS + 1, MAX_TURNS);
  return { date, chat, turns, room: Math.max(room, turns.length), before: [], after: [] };
}

/** Sessions of filler alone, on days between the first session and shortly after the last. */
function emptyDrafts({ sessions, people }: Scenario, random: Random): Draft[] {
  const [first, last] = [sessions[0], sessions.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a scenario without sessions');
  const days = Math.round((Date.parse(last.date) - Date.parse(first.date)) / DAY) + 9;
  const count = Math.min(MAX_SESSIONS - sessions.length, between(random, 0, 6));
  const taken = new Set(sessions.map(({ date }) => date));
  return Array.from({ length: count }, () => addDays(first.date, between(random, 1, days)))
    .filter((date) => !taken.has(date))
    .map((date) => draftOf({ date, chat: pick(random, sessions).chat, turns: [] }, random))
    .filter(({ chat }) => people.some((person) => chat.members.includes(person)));
}

const lengthOf = ({ before, turns, after }: Draft): number => before.length + turns.length + after.length;
const sizeOf = (turns: readonly ScenarioTurn[]): number =>
  turns.flatMap(({ messages }) => messages).reduce((sum, { text }) => sum + text.length, 0);

const reservedStrings = ({ questions, poison }: Scenario): readonly string[] => [
  ...new Set([...poison, ...questions.flatMap(({ gold, superseded, forbidden }) => [...gold.flat(), ...superseded, ...forbidden])]),
];
/** Filler with a string that some question is scored by would answer it by accident. */
const touches = (exchange: Exchange, reserved: readonly string[]): boolean =>
  exchange
    .flatMap(({ messages }) => messages)
    .map(({ text }) => normalize(text))
    .some((text) => reserved.some((string) => holds(text, string)));

const DAY = 86_400_000;
export const addDays = (date: string, days: number): string => new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);

function timed({ date, chat, before, turns, after }: Draft, random: Random): Omit<Session, 'id'> {
  let minute = between(random, 7 * 60, 21 * 60);
  const stamp = (turn: ScenarioTurn): Turn => {
    minute += between(random, 1, 6);
    return { at: new Date(Date.parse(date) + minute * 60_000).toISOString().slice(0, 16), ...turn };
  };
  return { chat, turns: [...before, ...turns, ...after].map(stamp) };
}
