import type { JournalFact } from './facts.ts';
import { meets, toTermSet, weighTerms, type TermCounts, type TermSet } from './rank.ts';
import { saysChange, saysExit } from './update-cues.ts';
import { isPhysicalUnit, toValues, type FoundValue } from './values.ts';
import { toTerms } from './words/terms.ts';

/** Sentences of one turn that still hold. */
export interface Told {
  readonly facts: readonly JournalFact[];
  readonly session: string;
}

/** How much of what they speak of two turns must share, by what else tells that one takes the place of the other. */
const LIMITS = { exit: 0.8, cuedRival: 0.45, cued: 0.9, cuedOther: 1.3, plainRival: 1.1, plainNumber: 1.8, strangeName: 0.8, ofTurn: 0.5 };

interface News {
  readonly text: string;
  readonly terms: TermSet;
  readonly values: readonly FoundValue[];
  readonly isCued: boolean;
  readonly isExit: boolean;
}

/** A sentence that is over, and what of it still holds. */
export interface Superseded {
  readonly fact: JournalFact;
  readonly rest?: string;
}

/**
 * Which sentences of an earlier turn no longer hold after a later one. People rarely repeat what they change: so the less the
 * words of change and the types of the values say, the more must be shared.
 */
export function findSuperseded(earlier: Told, later: Told, counts: TermCounts, people: ReadonlySet<string>): readonly Superseded[] {
  const news = readNews(later);
  if (news === undefined || (!news.isCued && earlier.session === later.session)) return [];
  const all = sharedTopic(earlier.facts, news, counts, people);
  const said = earlier.facts.filter(({ kind }) => kind === 'statement' || kind === 'preference');
  const over = said.filter((fact) => {
    const own = sharedTopic([fact], news, counts, people);
    return isOver(fact.text, own + LIMITS.ofTurn * Math.max(0, all - own), news);
  });
  const struck = over.flatMap(({ text }) => strikable(text, news));
  const repeats = said.filter(
    (fact) => fact.speaker === 'agent' && !over.includes(fact) && struck.some((value) => fact.text.toLowerCase().includes(value.text)),
  );
  return [...over, ...repeats].map((fact) => {
    const rest = restOf(fact.text, news);
    return { fact, ...(rest !== undefined && { rest }) };
  });
}

function readNews({ facts }: Told): News | undefined {
  const told = facts.filter(({ kind }) => kind === 'statement' || kind === 'preference');
  const isFromPerson = told.some(({ speaker }) => speaker !== 'agent');
  const isOrdered = facts.some(({ speaker, kind }) => speaker === 'person' && kind === 'asked');
  if (!isFromPerson || (isOrdered && told.length > facts.length / 2 + 2)) return undefined;
  const text = told.map((fact) => fact.text).join(' ');
  return {
    text: text.toLowerCase(),
    terms: toTermSet(toTerms(text)),
    values: told.flatMap((fact) => toValues(fact.text)),
    isCued: saysChange(text),
    isExit: saysExit(text),
  };
}

function isOver(old: string, shared: number, news: News): boolean {
  const values = toValues(old);
  const rivals = values.flatMap((value) => findRivals(value, news));
  const strange = rivals.some(({ type }) => type === 'name')
    ? 0
    : values.filter(({ type, text }) => type === 'name' && !news.text.includes(text)).length;
  const weight = shared - LIMITS.strangeName * strange;
  const hasNamed = values.some(({ type, text }) => type === 'name' && news.text.includes(text));
  if (news.isExit && hasNamed && weight >= LIMITS.exit) return true;
  if (rivals.length > 0 && news.isCued) return weight >= LIMITS.cuedRival;
  if (rivals.length > 0)
    return weight >= (rivals.some(({ type, unit }) => type !== 'number' || unit !== undefined) ? LIMITS.plainRival : LIMITS.plainNumber);
  return (
    news.isCued && values.every(({ text }) => !news.text.includes(text)) && weight >= (values.length === 0 ? LIMITS.cued : LIMITS.cuedOther)
  );
}

const sharedTopic = (facts: readonly JournalFact[], news: News, counts: TermCounts, people: ReadonlySet<string>): number => {
  const text = facts.map((fact) => fact.text).join(' ');
  const units = new Set(toValues(text).flatMap(({ unit }) => (unit === undefined || !isPhysicalUnit(unit) ? [] : [unit])));
  return weighTerms(toTerms(text), counts)
    .filter(({ isTopic, term }) => isTopic && !/^\d/u.test(term.key) && !units.has(term.word.replace(/s$/u, '')) && !people.has(term.word))
    .reduce((sum, { term, weight }) => sum + weight * meets(term, news.terms), 0);
};

/** Values of the same type and unit that stand there now, where this one does not. */
const findRivals = (old: FoundValue, { values, text }: News): readonly FoundValue[] =>
  text.includes(old.text) ? [] : values.filter((value) => value.type === old.type && value.text !== old.text && value.unit === old.unit);

/** What else a sentence says, with the values that changed struck out; nothing when that was all. */
function restOf(old: string, news: News): string | undefined {
  const over = strikable(old, news);
  const other = toValues(old).filter(({ text }) => over.every((value) => value.text !== text));
  if (over.length === 0 || news.isExit || /\bswap/u.test(news.text)) return undefined;
  const struck = over.reduce((text, value) => strike(text, value), old);
  const isMore =
    other.some(({ type }) => type !== 'name') ||
    other.length > 1 ||
    struck.split(/[,;，、]/u).some((clause) => !clause.includes(CHANGED) && toTerms(clause).length > 1);
  return isMore && struck !== old ? struck : undefined;
}
const CLAUSE_ENDS = /(?<=[,;，、；])|(?<= )(?=(?:and|but|und|aber) )/u;
const CHANGED = '[changed later]';
/** Values that something else stands for now. A name only when nothing plainer changed. */
function strikable(old: string, news: News): readonly FoundValue[] {
  const clauses = old.split(CLAUSE_ENDS);
  const touched = clauses.filter((clause) => toTerms(clause).some((term) => !/^\d/u.test(term.key) && meets(term, news.terms) > 0));
  const over = (touched.length === 0 ? clauses : touched)
    .flatMap((clause) => toValues(clause))
    .filter((value) => findRivals(value, news).length > 0);
  const plain = over.filter(({ type }) => type !== 'name');
  return plain.length > 0 ? plain : over;
}
function strike(text: string, { text: value, unit }: FoundValue): string {
  const written = unit === undefined ? value : `${value} ?${unit}s?`;
  const pattern = written.replaceAll(/[.*+^${}()|[\]\\]/gu, '\\$&').replaceAll(/(?<=\d)(?=\d{3}(?!\d))/gu, ',?');
  return text.replace(new RegExp(pattern, 'iu'), CHANGED);
}
