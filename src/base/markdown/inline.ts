import { isBreakBetween } from './breaks.ts';

/** How a stretch of text is set. */
export type TextStyle = 'strong' | 'emphasis' | 'struck' | 'code' | 'link' | 'aside';
export interface TextRun {
  readonly text: string;
  readonly styles: readonly TextStyle[];
  /** Where a link leads, when that is a page. */
  readonly href?: string;
}
export interface ParsedInline {
  readonly runs: readonly TextRun[];
  /** What cannot be decided before more of the line is there. */
  readonly rest: string;
}

/** Marks around a stretch, the longer ones first. */
const MARKS: readonly (readonly [mark: string, style: TextStyle])[] = [
  ['**', 'strong'],
  ['__', 'strong'],
  ['~~', 'struck'],
  ['*', 'emphasis'],
  ['_', 'emphasis'],
];
/** A stretch longer than this is not waited for where nothing else shows it: a mark that never closes must not hold back the answer. */
const MAX_HELD = 400;
/** So far the end of a stretch is looked for in a line that is all there. */
const MAX_SPAN = 4_000;

const ESCAPED = /\\([!-/:-@[-`{-~])/y;
const TICKS = /`+/y;
const LINK = /!?\[((?:[^[\]\\]|\\.)*)\]\(\s*<?((?:[^\s()<>]|\([^\s()]*\))*)>?(?:\s+"[^"]*")?\s*\)/y;
const AUTOLINK = /<((?:https?|mailto):[^\s<>]+)>/y;
/** What may yet become a link. */
const LINK_BEGINS = /(?:!?\[[^\]]*(?:\](?:\((?:[^()]|\([^()]*\)?)*)?)?|<[a-z]*(?::[^\s<>]*)?)$/y;
const isWordSign = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}]/u.test(sign);

interface Found {
  readonly runs: readonly TextRun[];
  readonly end: number;
}

/**
 * The words of one line with how they are set. With `more`, the line may go on: then whatever could still change, a word
 * that is not over or a mark that is not closed, is given back as the rest. With `whole` it is waited for however long it is:
 * then what is given is what the whole line gives.
 */
export function parseInline(source: string, more: boolean | 'whole', styles: readonly TextStyle[] = []): ParsedInline {
  const runs: TextRun[] = [];
  let plain = '';
  /** Up to the last place where a line may break: a word is given whole or not at all. */
  let sure: { readonly runs: number; readonly plain: string; readonly at: number } = { runs: 0, plain: '', at: 0 };
  const flush = () => {
    if (plain !== '') runs.push({ text: plain, styles });
    plain = '';
  };
  const ready = more === false ? source.length : findLastBreak(source);
  const held = more === 'whole' ? Infinity : MAX_HELD;
  for (let at = 0; at < source.length;) {
    const found = isMark(source, at)
      ? (escaped(source, at, styles) ?? code(source, at, styles) ?? link(source, at, styles) ?? marked(source, at, styles, more !== false))
      : undefined;
    // What ends with the source may yet end elsewhere.
    if (more !== false && (found === undefined ? isUndecided(source, at, ready, held) : found.end >= source.length))
      return {
        runs: [...runs.slice(0, sure.runs), ...(sure.plain === '' ? [] : [{ text: sure.plain, styles }])],
        rest: source.slice(sure.at),
      };
    if (found === undefined) {
      plain += source[at++] ?? '';
      if (/\s/.test(source[at - 1] ?? '') || isBreakBetween(source, at)) sure = { runs: runs.length, plain, at };
    } else {
      flush();
      runs.push(...found.runs);
      at = found.end;
    }
  }
  flush();
  return { runs, rest: '' };
}

/** Whether anything but a letter can begin here. */
const isMark = (source: string, at: number): boolean => '\\`![<*_~'.includes(source[at] ?? ' ');

/** Behind the last blank, or between the last two signs of a script that has none. */
function findLastBreak(source: string): number {
  for (let at = source.length; at > 0; at--) if (/\s/.test(source[at - 1] ?? '') || isBreakBetween(source, at)) return at;
  return 0;
}

/** Whether more of the line could make something else of what stands here. */
function isUndecided(source: string, at: number, ready: number, held: number): boolean {
  if (at >= ready) return true;
  if (!isMark(source, at)) return false;
  if (source.length - at > held) return false;
  if (matchAt(TICKS, source, at) !== undefined || matchAt(LINK_BEGINS, source, at) !== undefined) return true;
  return MARKS.some(([mark]) => opens(source, at, mark));
}

const matchAt = (pattern: RegExp, source: string, at: number): RegExpExecArray | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(source) ?? undefined;
};

function escaped(source: string, at: number, styles: readonly TextStyle[]): Found | undefined {
  const found = matchAt(ESCAPED, source, at);
  return found && { runs: [{ text: found[1] ?? '', styles }], end: at + found[0].length };
}

function code(source: string, at: number, styles: readonly TextStyle[]): Found | undefined {
  const ticks = matchAt(TICKS, source, at)?.[0];
  if (ticks === undefined) return undefined;
  const body = at + ticks.length;
  const close = new RegExp(`(?<!\`)${ticks}(?!\`)`, 'g');
  close.lastIndex = body;
  const end = close.exec(source)?.index;
  if (end === undefined) return undefined;
  const text = source.slice(body, end);
  // One blank on each side only keeps ticks apart.
  const bare = /^ .*\S.* $/.test(text) ? text.slice(1, -1) : text;
  return { runs: [{ text: bare, styles: [...styles, 'code'] }], end: end + ticks.length };
}

function link(source: string, at: number, styles: readonly TextStyle[]): Found | undefined {
  const auto = matchAt(AUTOLINK, source, at);
  if (auto !== undefined) {
    const address = auto[1] ?? '';
    return { runs: [{ text: address, styles: [...styles, 'link'], ...hrefOf(address) }], end: at + auto[0].length };
  }
  const found = matchAt(LINK, source, at);
  if (found === undefined) return undefined;
  const [whole, words = '', url = ''] = found;
  const { runs } = parseInline(words === '' ? url : words, false, [...styles, 'link']);
  const shown = runs.map(({ text }) => text).join('');
  // Where a link leads is part of what is read: nobody can point at it here.
  const aside: TextRun[] = url === '' || url === shown ? [] : [{ text: ` (${url})`, styles: [...styles, 'aside'], ...hrefOf(url) }];
  return { runs: [...runs.map((run) => ({ ...run, ...hrefOf(url) })), ...aside], end: at + whole.length };
}

/** Only pages can be opened by a click: other schemes start programs. */
const hrefOf = (url: string): Pick<TextRun, 'href'> => (/^https?:\/\/[!-~]+$/.test(url) ? { href: url } : {});

const opens = (source: string, at: number, mark: string): boolean => {
  if (!source.startsWith(mark, at)) return false;
  const next = source[at + mark.length];
  if (next === undefined || /\s/.test(next) || next === mark[0]) return false;
  return mark === '**' || mark === '~~' || !isWordSign(source[at - 1]);
};

function marked(source: string, at: number, styles: readonly TextStyle[], more: boolean): Found | undefined {
  for (const [mark, style] of MARKS) {
    if (!opens(source, at, mark)) continue;
    const end = closes(source, at + mark.length, mark, more);
    if (end === undefined) continue;
    const { runs } = parseInline(source.slice(at + mark.length, end), false, [...styles, style]);
    return { runs, end: end + mark.length };
  }
  return undefined;
}

/** Where the mark closes; marks inside code are no marks, and with `more` code that is not closed may yet hold them. */
function closes(source: string, from: number, mark: string, more: boolean): number | undefined {
  for (let at = from; at < Math.min(source.length, from + MAX_SPAN); at++) {
    const skipped = escaped(source, at, [])?.end ?? code(source, at, [])?.end;
    if (skipped !== undefined) {
      at = skipped - 1;
      continue;
    }
    if (more && source[at] === '`') return undefined;
    if (!source.startsWith(mark, at) || /\s/.test(source[at - 1] ?? ' ') || at === from) continue;
    const [before, after] = [source[at - 1], source[at + mark.length]];
    if (mark.length === 1 && (before === mark || after === mark)) continue;
    if (mark !== '**' && mark !== '~~' && isWordSign(after)) continue;
    // `***` closes the inner mark first.
    if (mark === '**' && after === '*') continue;
    return at;
  }
  return undefined;
}
