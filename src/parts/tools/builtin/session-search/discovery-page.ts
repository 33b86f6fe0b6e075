import type { LogMessage } from '../../../../contracts/entry.ts';
import { toOneLine } from '../../../../base/printable.ts';
import type { Discovery, SessionMatch, DiscoverOptions } from './discover.ts';
import { drawMessage, drawSession, formatLocalTime, formatSessionTitle } from './draw.ts';
import { cut, fit, computeRangeAround, pickWidestRange, type Range } from './fit.ts';
import { formatCall, joinLines, MAX_PAGE_CHARS, type SessionPage } from './page.ts';
import { USUAL } from './roles.ts';

/** Messages on each side of a match, and at the beginning and the end of its session. */
const RADIUS = 5;
const BOOKEND = 3;
/** Characters kept for the words before and after the list. */
const FRAME = 1_200;
/** The first session's part of what is left, when there are others. */
const FIRST = 0.4;
const SNIPPET = 320;
const MESSAGE = 1_500;
/** What the surroundings of the match and each bookend may take of the room. */
const MIDDLE = 0.6;
const ENDS = 0.2;
/** Line breaks and the number before a session. */
const SEPARATORS = 10;

export function renderDiscoveryPage(discovery: Discovery, question: DiscoverOptions): SessionPage {
  const { found, troubles } = discovery;
  const [first, ...rest] = found;
  if (first === undefined) return { text: joinLines(nothing(discovery, question), damage(troubles)), shown: [] };
  const room = MAX_PAGE_CHARS - FRAME - found.reduce((sum, each) => sum + head(each).length + SEPARATORS, 0);
  const share = rest.length === 0 ? room : Math.floor(room * FIRST);
  const parts = [fullPart(first, share), ...rest.map((each) => anchorPart(each, Math.floor((room - share) / rest.length)))];
  const texts = parts.flatMap((part, index) => ['', `${index + 1}. ${part.text}`]);
  return {
    text: joinLines(heading(discovery, question), texts, '', footing(discovery, first)),
    shown: parts.flatMap(({ shown }) => shown),
  };
}

function heading({ found, roles }: Discovery, { query, sort, roles: asked, within }: DiscoverOptions): string {
  const unit = within === undefined ? 'session' : 'place';
  const what = found.length === 1 ? `1 ${unit} matches` : `${found.length} ${unit}s match`;
  const fallen = asked === USUAL && roles !== USUAL[0] ? ' Only results of tools match.' : '';
  return `${what} ${quoted(query)}, ${sort} first.${fallen} #n numbers the entries of a session; hits stand between « and ».`;
}

/** The words around the match, the beginning and the end. */
function fullPart(found: SessionMatch, room: number): SessionPage {
  const { said } = found;
  const near = surroundings(found, Math.floor(room * MIDDLE));
  const opening = { from: 0, to: Math.min(BOOKEND, near.range.from) };
  const closing = { from: Math.max(said.length - BOOKEND, near.range.to), to: said.length };
  return {
    text: joinLines(
      head(found),
      bookend('-- beginning', pieceOf(said, opening), room),
      near.texts,
      bookend('-- end', pieceOf(said, closing), room),
    ),
    shown: [...pieceOf(said, opening), ...near.shown, ...pieceOf(said, closing)],
  };
}

function bookend(words: string, said: readonly LogMessage[], room: number): string[] {
  const drawn = said.map((each) => drawMessage(each));
  return said.length === 0 ? [] : [words, ...fit(drawn, Math.floor(room * ENDS) - words.length, MESSAGE)];
}

function anchorPart(found: SessionMatch, room: number): SessionPage {
  const { texts, shown } = surroundings(found, room);
  return { text: joinLines(head(found), texts), shown };
}

function head({ session, root, hit, said, at }: SessionMatch): string {
  const whole = drawSession(session, said.length);
  const kin = root.id === session.id ? [] : [`belongs to ${root.id} (${formatSessionTitle(root)})`];
  const place =
    hit.role === 'title'
      ? 'match in the title'
      : `match #${hit.seq} ${hit.entryId} (${hit.role}, ${formatLocalTime(said[at]?.at ?? hit.at)})`;
  return joinLines(whole, kin, `${place}: ${marked(hit.snippet)}`);
}

/** The store's marks as characters that survive everywhere. */
const marked = (snippet: string): string => cut(toOneLine(snippet.replaceAll('\u0002', '«').replaceAll('\u0003', '»')), SNIPPET);

function surroundings(
  { said, at }: SessionMatch,
  room: number,
): { readonly texts: string[]; readonly shown: readonly LogMessage[]; readonly range: Range } {
  const widest = computeRangeAround(said.length, at, RADIUS);
  const drawn = pieceOf(said, widest).map((each) => drawMessage(each));
  const inner = pickWidestRange(drawn, at - widest.from, RADIUS, room);
  const range = { from: widest.from + inner.from, to: widest.from + inner.to };
  const title = `-- around the match: ${range.from} messages before, ${said.length - range.to} after`;
  return { texts: [title, ...fit(drawn.slice(inner.from, inner.to), room - title.length, MESSAGE)], shown: pieceOf(said, range), range };
}

const pieceOf = (said: readonly LogMessage[], { from, to }: Range): readonly LogMessage[] => said.slice(from, to);

function footing({ more, partial, troubles }: Discovery, { session, said, at }: SessionMatch): string {
  const around = String(said[at]?.seq ?? 1);
  return joinLines(
    more ? ['There is more: raise limit (up to 10) or add a word.'] : [],
    partial ? ['There are too many matches to look at all of them; the oldest are left out. Add a word to find those.'] : [],
    `More around a place: ${formatCall({ session_id: session.id, around })}; a whole session: the same without around.`,
    damage(troubles),
  );
}

const damage = (troubles: readonly string[]): string[] =>
  troubles.length === 0 ? [] : [`Not all logs could be read: ${cut(toOneLine(troubles.join(' ')), 300)}`];

function nothing({ matched, others, partial }: Discovery, { query, within, roles: asked }: DiscoverOptions): string {
  const roles = asked.flat();
  if (others === 0 && within === undefined) return 'There is no other session yet, and nothing of this one that left your view matches.';
  const unasked = matched.filter((role) => !roles.some((each) => each === role));
  if (matched.length > 0 && unasked.length === matched.length)
    return `Nothing of role ${roles.join(' or ')} matches ${quoted(query)}, but there are matches of role ${unasked.join(' and ')}: name it in role_filter.`;
  if (matched.length > 0)
    return `What matches ${quoted(query)} is in your view already, or a note of the system.${partial ? ' Add a word to look further back.' : ''}`;
  return `Nothing matches ${quoted(query)}. All words have to stand in one message: try fewer words, one telling part of a word, or OR between alternatives (docker OR podman). ${formatCall({})} lists recent sessions.`;
}

const quoted = (query: string): string => JSON.stringify(cut(toOneLine(query), 100));
