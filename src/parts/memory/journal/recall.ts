import type { MemoryScope } from '../../../contracts/memory-provider.ts';
import { isOrder, isQuestion } from './classify.ts';
import type { JournalDatabase } from './database.ts';
import { toDay } from './days.ts';
import { expectedTypes } from './expectations.ts';
import { isRecallable, toToken, type FactTable, type JournalFact, type JournalTurn } from './facts.ts';
import { cover, toTermSet, weighTerms, type TermCounts, type WeighedTerm } from './rank.ts';
import { toValues } from './values.ts';
import { toTerms } from './words/terms.ts';

export interface RecalledTurn {
  readonly turn: JournalTurn;
  readonly facts: readonly JournalFact[];
  readonly score: number;
}
/** Who asks, and what of the journal is hidden from them. */
export type JournalReader = Pick<MemoryScope, 'platform' | 'userId' | 'chatId' | 'isGroup' | 'isOwner'> & {
  readonly sessionId?: string;
  readonly hasSummary?: boolean;
};

/** Low on purpose: a near miss costs a few tokens and is labelled as one, while silence costs the answer (bench/memory/README.md). */
const BOUNDS = {
  least: 0.1,
  ofBest: 0.75,
  topics: 0.3,
  typed: 0.06,
  untyped: -0.06,
  maxTurns: 3,
  maxStanding: 12,
  candidates: 30,
  commonest: 500,
};
/**
 * Where meanings are compared, words and meaning count together. The weight was chosen on the tuning half of the exam with the tables of
 * words left out, since those were written on that half. `least` is a turn that shares no word and stands out by 2.5 standard deviations.
 */
const WITH_MEANING = { weight: 0.12, most: 5, least: 0.3, ofBest: 0.8, candidates: 10 };

/** By turn, how far it stands out by its meaning among all that the reader may see. */
export type TurnLikeness = ReadonlyMap<number, number>;

/**
 * What may be shown to this reader. In a group what was said in it; alone a guest what they said in that very chat, and the
 * owner what the owner said anywhere; the same ids on another platform are others. The session that asks has its own words before it, unless they were summarized.
 */
export function mayRead(reader: JournalReader, turn: JournalTurn): boolean {
  if (turn.session === reader.sessionId && reader.hasSummary !== true) return false;
  const isSamePlace = turn.platform === reader.platform && turn.chat_id === (reader.chatId ?? null);
  if (reader.isGroup === true) return turn.is_group === 1 && isSamePlace;
  if (reader.isOwner) return turn.is_owner === 1;
  return turn.is_owner === 0 && turn.is_group === 0 && turn.user_id === (reader.userId ?? null) && isSamePlace;
}

/** What the journal knows about a message, the best first; nothing when nothing fits. */
export function findRecalled(
  query: string,
  reader: JournalReader,
  db: JournalDatabase,
  table: FactTable,
  alike?: TurnLikeness,
): readonly RecalledTurn[] {
  const asked = weighTerms(toTerms(query), countTerms(db));
  const byWords = candidates(asked, db);
  if (!wantsSomethingDone(query)) {
    if (alike !== undefined) return withoutRepeats(rankWithMeaning(query, asked, reader, byWords, table, alike));
    return withoutRepeats(keepBest(rankTurns(query, asked, reader, byWords, table), BOUNDS));
  }
  const kept = keepBest(rankTurns(query, asked, reader, byWords, table), BOUNDS);
  const standing = findStanding(reader, db, table).filter(({ turn }) => kept.every((each) => each.turn.id !== turn.id));
  return withoutRepeats([...kept, ...standing]);
}

/** A turn that another one shows too, because it cannot be understood without it, is not shown by itself as well. */
function withoutRepeats(found: readonly RecalledTurn[]): readonly RecalledTurn[] {
  const shown = new Set<number>();
  const kept = new Set<RecalledTurn>();
  // Turns are shown with earlier ones, never with later ones.
  for (const each of found.toSorted((a, b) => b.turn.id - a.turn.id)) {
    if (shown.has(each.turn.id)) continue;
    kept.add(each);
    for (const { turn } of each.facts) shown.add(turn);
  }
  return found.filter((each) => kept.has(each));
}

function keepBest(
  found: readonly RecalledTurn[],
  { least, ofBest }: { readonly least: number; readonly ofBest: number },
): readonly RecalledTurn[] {
  const best = found[0]?.score ?? 0;
  return found.filter(({ score }) => score >= least && score >= best * ofBest).slice(0, BOUNDS.maxTurns);
}

/** A turn that shares few words with the question, or none, is found too when it stands out far enough. */
function rankWithMeaning(
  query: string,
  asked: readonly WeighedTerm[],
  reader: JournalReader,
  byWords: readonly number[],
  table: FactTable,
  alike: TurnLikeness,
): readonly RecalledTurn[] {
  const near = [...alike].toSorted(([, a], [, b]) => b - a).slice(0, WITH_MEANING.candidates);
  const ids = [...new Set([...byWords, ...near.map(([id]) => id)])];
  const ranked = rankTurns(query, asked, reader, ids, table, 0).map((found) => {
    const standing = Math.min(WITH_MEANING.most, alike.get(found.turn.id) ?? 0);
    return { ...found, score: found.score + WITH_MEANING.weight * standing };
  });
  return keepBest(ranked.toSorted(byScore), WITH_MEANING);
}
const byScore = (a: RecalledTurn, b: RecalledTurn): number => b.score - a.score || b.turn.at - a.turn.at;

/** The owner's limits and wishes count for whatever is to be done, also when no word of them is in the order. */
const wantsSomethingDone = (query: string): boolean =>
  isOrder(query) || !isQuestion(query) || query.split(/(?<=[.!。])\s*/u).some((part) => part !== '' && !isQuestion(part));

export function countTerms(db: JournalDatabase): TermCounts {
  const turns = db.get<{ count: number }>('SELECT count(*) AS count FROM turns')?.count ?? 0;
  const known = new Map<string, number>();
  return {
    turns,
    countOf: (key) => {
      const token = toToken(key);
      const count = known.get(token) ?? db.get<{ doc: number }>('SELECT doc FROM turn_terms WHERE term = ?', token)?.doc ?? 0;
      known.set(token, count);
      return count;
    },
  };
}

/** Turns that share a word or a meaning with the question: by the rarest words first, so that a large journal is not read whole. */
function candidates(asked: readonly WeighedTerm[], db: JournalDatabase): readonly number[] {
  const counts = countTerms(db);
  const tokens = [...new Set(asked.filter(({ isTopic }) => isTopic).flatMap(({ term }) => [term.key, ...term.groups, ...term.asks]))]
    .map((key) => ({ token: toToken(key), count: counts.countOf(key) }))
    .toSorted((a, b) => a.count - b.count);
  const chosen: string[] = [];
  let sum = 0;
  for (const { token, count } of tokens) {
    if (chosen.length > 0 && sum + count > BOUNDS.commonest) break;
    chosen.push(
      token.length >= 5 && /^\p{Script=Latin}+$/u.test(token) ? `"${token.slice(0, Math.max(5, token.length - 2))}"*` : `"${token}"`,
    );
    sum += count;
  }
  if (chosen.length === 0) return [];
  return db
    .all<{ rowid: number }>(
      'SELECT rowid FROM turn_words WHERE turn_words MATCH ? ORDER BY bm25(turn_words, 1.0, 0.3) LIMIT ?',
      chosen.join(' OR '),
      BOUNDS.candidates,
    )
    .map(({ rowid }) => rowid);
}

function rankTurns(
  query: string,
  asked: readonly WeighedTerm[],
  reader: JournalReader,
  ids: readonly number[],
  table: FactTable,
  leastTopics = BOUNDS.topics,
): readonly RecalledTurn[] {
  const types = expectedTypes(query);
  const ranked = ids.flatMap((id): RecalledTurn[] => {
    const turn = table.turn(id);
    if (turn === undefined || !mayRead(reader, turn)) return [];
    const facts = table.factsOf(id).filter(isRecallable);
    if (facts.every(({ kind }) => kind === 'asked' || kind === 'cue') || isOfAnother(query, reader, turn, facts)) return [];
    const before = table.turnBefore(turn);
    const linked = linkedTurns(turn, facts, table);
    const shown = [...linked.flatMap((each) => table.factsOf(each).filter(isRecallable)), ...facts];
    const own = toTermSet([...shown, ...table.replacedBy(id)].flatMap(({ text }) => toTerms(text)));
    const context =
      before === undefined
        ? undefined
        : toTermSet(
            table
              .factsOf(before.id)
              .filter(isRecallable)
              .flatMap(({ text }) => toTerms(text)),
          );
    const { share, topics } = cover(asked, own, context);
    if (topics < leastTopics) return [];
    const isTyped = types.length > 0 && facts.some(({ text }) => toValues(text).some(({ type }) => types.includes(type)));
    return [{ turn, facts: shown, score: share + (types.length === 0 ? 0 : isTyped ? BOUNDS.typed : BOUNDS.untyped) }];
  });
  return ranked.toSorted(byScore);
}

const LEANING =
  /^(?:it|it's|its|she|he|they|that|this|and|also|but|so|yes|no|then|same|the (?:first|second|third|other|last) one|es|sie|er|und|das|auch|ja|nein|它|他|她|那|也|还|对了|それ|그|네|มัน)\b/iu;
const MAX_LINKED = 3;
/** Turns that a turn cannot be understood without: it answers what the agent asked, or begins with a word that points back. */
function linkedTurns(turn: JournalTurn, facts: readonly JournalFact[], table: FactTable): readonly number[] {
  const linked: number[] = [];
  let [last, told] = [turn, facts];
  while (linked.length < MAX_LINKED) {
    const before = table.turnBefore(last);
    if (before === undefined || before.user_id !== turn.user_id) break;
    const earlier = table.factsOf(before.id);
    // Notes stand for themselves.
    if (told.every(({ speaker }) => speaker === 'note')) break;
    const said = told.find(({ speaker }) => speaker === 'person')?.text ?? '';
    const isAnswer = earlier.at(-1)?.speaker === 'agent' && earlier.at(-1)?.kind === 'asked';
    if (!isAnswer && !LEANING.test(said) && said.split(' ').length > 3) break;
    if (!isAnswer && /\p{Script=Han}|\p{Script=Hangul}|\p{Script=Thai}/u.test(said) && !LEANING.test(said)) break;
    linked.unshift(before.id);
    [last, told] = [before, earlier];
  }
  return linked;
}

const ABOUT_ME = /\b(?:i|i'm|i've|my|mine|me|myself|ich|mein|meine|meinen|mir|mich)\b|我(?!们)|私|僕|俺|나는|내가|나한테|내 |제가|ผม|ฉัน/iu;
/** In a group, what another person said of themselves does not answer a question about the one who asks. */
const isOfAnother = (query: string, reader: JournalReader, turn: JournalTurn, facts: readonly JournalFact[]): boolean =>
  turn.user_id !== (reader.userId ?? null) &&
  ABOUT_ME.test(query) &&
  facts.some(({ speaker, text }) => speaker === 'person' && ABOUT_ME.test(text)) &&
  (reader.userId === undefined || !facts.some(({ text }) => text.includes(reader.userId ?? '')));

function findStanding(reader: JournalReader, db: JournalDatabase, table: FactTable): readonly RecalledTurn[] {
  const rows = db.all<{ turn: number }>(
    `SELECT DISTINCT turn FROM facts WHERE kind = 'preference' AND valid_to IS NULL AND quarantine IS NULL AND speaker <> 'agent' ORDER BY id DESC LIMIT 60`,
  );
  return rows
    .flatMap(({ turn: id }): RecalledTurn[] => {
      const turn = table.turn(id);
      if (turn === undefined || !mayRead(reader, turn) || turn.user_id !== (reader.userId ?? null)) return [];
      return [{ turn, facts: table.factsOf(id).filter(isRecallable), score: 0 }];
    })
    .slice(0, BOUNDS.maxStanding);
}

/** In a group nobody is told apart by an id, and what is said there is not the owner's. */
export const toSpeaker = (
  { speaker }: Pick<JournalFact, 'speaker'>,
  { user_id, is_owner }: Pick<JournalTurn, 'user_id' | 'is_owner'>,
): string => (speaker === 'person' ? (user_id ?? (is_owner === 1 ? 'owner' : 'guest')) : speaker);

/** A turn in one line: its day, and who said what. */
export function toLine({ turn, facts }: RecalledTurn): { readonly text: string; readonly at: number } {
  const parts: { who: string; text: string }[] = [];
  for (const fact of facts.filter(({ kind }) => kind !== 'cue')) {
    const who = toSpeaker(fact, turn);
    const text = fact.kind === 'hypothetical' ? `(not meant as a fact) ${fact.text}` : fact.text;
    const last = parts.at(-1);
    if (last?.who === who) last.text = `${last.text} ${text}`;
    else parts.push({ who, text });
  }
  return { text: `${toDay(turn.at)}, ${parts.map(({ who, text }) => `${who}: ${text}`).join(' | ')}`, at: turn.at };
}
