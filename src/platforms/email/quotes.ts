/** The words of a mail by whose they are. */
export interface MailWords {
  /** The author's own; `[quotation N]` stands for a quotation between them. */
  readonly text: string;
  /** Below an answer: the mail it answers, and the signature. */
  readonly quoted?: string;
  /** Quotations between the author's lines, each below its number. */
  readonly quotations?: string;
  /** A mail of somebody else that the author hands on. */
  readonly forwarded?: string;
}
/** By what its header says. A mail with a forwarded mail as an attachment is no `forward`: its words are its author's. */
export type MailKind = 'reply' | 'forward' | 'other';

/** Tells an author's words from those that a mail program, or the author, took from other mails. When in doubt, they are not the author's. */
export function splitMail(whole: string, kind: MailKind): MailWords {
  const lines = whole.replaceAll('\r\n', '\n').split('\n');
  const at = findForwarded(lines, kind);
  const { text, quoted } = splitQuotes(lines.slice(0, at).join('\n'));
  const rest = joinLines(lines.slice(at));
  // A mail that only repeats is about what it repeats.
  const forwarded = rest === '' && text === '' ? (quoted ?? '') : rest;
  return {
    ...separateQuotations(text),
    ...(quoted !== undefined && quoted !== forwarded && { quoted }),
    ...(forwarded !== '' && { forwarded }),
  };
}

/** The line at which a mail begins that is handed on. */
function findForwarded(lines: readonly string[], kind: MailKind): number {
  const known = findHeaderBlock(lines);
  const found = findHeaderOf(lines, (line) => FIELD.test(line) && line.includes('@'));
  // The header of the mail that is answered stands above a quotation.
  if (kind !== 'forward') return kind === 'reply' && known <= found ? lines.length : Math.min(known, found);
  const marked = lines.findIndex((line) => isQuoted(line) || isWordedRule(toShape(line)));
  const first = Math.min(known, findHeaderOf(lines, isAnyField), marked < 0 ? lines.length : marked);
  // Nothing shows where it begins: none of it is surely the author's.
  return first === lines.length ? 0 : first;
}

/**
 * Cuts what a mail program puts below an answer: the mail that is answered, and a signature. Quotations between the lines of an
 * answer belong to it and stay. Where nothing new would be left, all of it is quoted, unless it is a signature.
 */
function splitQuotes(whole: string): Pick<MailWords, 'text' | 'quoted'> {
  const lines = whole.split('\n');
  const end = Math.min(findHeaderBlock(lines), findTrailingQuote(lines));
  const cut = findSignature(lines.slice(0, end));
  const [text, quoted] = [joinLines(lines.slice(0, cut)), joinLines(lines.slice(cut))];
  if (text === '' && end < lines.length) return { text, quoted: whole.trim() };
  return text === '' || quoted === '' ? { text: whole.trim() } : { text, quoted };
}

/** Takes quotations out of an author's lines, each with the line that says whose it is. */
function separateQuotations(whole: string): Pick<MailWords, 'text' | 'quotations'> {
  const own: string[] = [];
  const taken: string[] = [];
  let [count, isOpen] = [0, false];
  for (const line of whole.split('\n')) {
    const isTaken = isQuotation(line);
    if (isTaken && !isOpen) {
      const attribution = isAttribution(own.at(-1)) ? own.splice(-1) : [];
      const name = `[quotation ${++count}]`;
      own.push(name);
      taken.push(name, ...attribution);
    }
    (isTaken ? taken : own).push(line);
    isOpen = isTaken;
  }
  return count === 0 ? { text: whole } : { text: joinLines(own), quotations: joinLines(taken) };
}

const joinLines = (lines: readonly string[]): string => lines.join('\n').trim();

const isQuoted = (line: string): boolean => /^\s*[>|]/.test(line);
/** Between the lines of an author a bar on both sides is a table's. */
const isQuotation = (line: string): boolean => isQuoted(line) && !/^\s*\|.*\|\s*$/.test(line);
/** `On Monday, Ann <ann@x.test> wrote:`. Without an address or a year it may be the author's. */
const isAttribution = (line = ''): boolean => /[:：]\s*$/.test(line) && /@|\b(?:19|20)\d\d\b/.test(line);
const isBlank = (line: string): boolean => line.trim() === '';
const isSignatureMark = (line: string): boolean => /^--\s*$/.test(line);
/** More lines than this are no signature. */
const MAX_SIGNATURE = 12;

/** Where quoted lines begin after which nothing new comes, with the line that says whose they are. */
function findTrailingQuote(lines: readonly string[]): number {
  let last = lines.findLastIndex((line) => !isBlank(line));
  const mark = lines.findLastIndex(isSignatureMark);
  // A signature below the quotation.
  if (mark >= 0 && last - mark <= MAX_SIGNATURE && !lines.slice(mark).some(isQuoted))
    last = lines.findLastIndex((line, at) => at < mark && !isBlank(line));
  if (last < 0 || !isQuoted(lines[last] ?? '')) return lines.length;
  let first = last;
  while (first > 0 && (isQuoted(lines[first - 1] ?? '') || isBlank(lines[first - 1] ?? ''))) first--;
  while (isBlank(lines[first] ?? '')) first++;
  return findAttribution(lines, first);
}

/** `On Monday, Ann wrote:` in any language: the line before a quotation, if it ends with a colon, and the one it was wrapped from. */
function findAttribution(lines: readonly string[], quote: number): number {
  const last = lines.findLastIndex((line, at) => at < quote && !isBlank(line));
  if (!/[:：]$/.test(toShape(lines[last]))) return quote;
  return last > 0 && isWrapped(toShape(lines[last - 1])) ? last - 1 : last;
}
/** Begins as such a line does, or has a year; and is no sentence. */
const isWrapped = (shape: string): boolean =>
  (/^(?:on|am|le|el|il|op|den|em|dnia|w dniu) /i.test(shape) || /\b(?:19|20)\d\d\b./.test(shape)) && /[^.!?]$/.test(shape);

/**
 * A line for the patterns here: one blank between words. Strangers write these lines, so in no pattern two parts that repeat stand
 * side by side and take the same sign: it would take minutes for a line that was made for it.
 */
const toShape = (line = ''): string => line.replaceAll(/\s+/g, ' ').trim();

const WORDED_RULE = /^-{2,} ?[^\s-](?:.{0,40}[^\s-])? ?-{2,}$/;
const isWordedRule = (shape: string): boolean => WORDED_RULE.test(shape);
const isRule = (shape: string): boolean => /^[-_=]{5,}$/.test(shape) || isWordedRule(shape);
const FROM = /^\*?(?:from|von|de|da|van|från|fra|od|lähettäjä|от|发件人|寄件者|差出人|보낸 사람) ?\*?[:：]\*? ?\S/i;
const FIELD = /^\*?[\p{L}\p{M} .-]{2,20} ?\*?[:：]/u;
const isAnyField = (shape: string): boolean => FIELD.test(shape) && !/[:：]$/.test(shape);

/** Where a mail is repeated with its header and without marks: a rule, or `From:` with two more fields below it. */
const findHeaderBlock = (lines: readonly string[]): number => findHeaderOf(lines, (shape) => FROM.test(shape));

/** A header whose first line is such a one. */
function findHeaderOf(lines: readonly string[], isFirst: (shape: string) => boolean): number {
  const at = lines.findIndex(
    (line, index) => isFirst(toShape(line)) && [1, 2].every((step) => FIELD.test(toShape(nextLine(lines, index, step)))),
  );
  if (at < 0) return lines.length;
  const before = lines.findLastIndex((line, index) => index < at && !isBlank(line));
  return before >= 0 && isRule(toShape(lines[before])) ? before : at;
}
/** Some programs leave a blank line between the fields. */
const nextLine = (lines: readonly string[], from: number, step: number): string =>
  lines.slice(from + 1, from + 6).filter((line) => !isBlank(line))[step - 1] ?? '';

function findSignature(lines: readonly string[]): number {
  const mark = lines.findLastIndex(isSignatureMark);
  return mark >= 0 && lines.length - mark <= MAX_SIGNATURE + 1 ? mark : lines.length;
}
