/** The words of a mail: what is new, and what is repeated below it. */
export interface MailWords {
  readonly text: string;
  /** Quoted mails and the signature. */
  readonly quoted?: string;
}

/**
 * Cuts what a mail program puts below an answer: the mail that is answered, and a signature. Quotations between the lines of an
 * answer belong to it and stay. Where nothing new would be left, all of it is new.
 */
export function splitQuotes(whole: string): MailWords {
  const lines = whole.replaceAll('\r\n', '\n').split('\n');
  const end = Math.min(findHeaderBlock(lines), findTrailingQuote(lines));
  const cut = findSignature(lines.slice(0, end));
  const text = lines.slice(0, cut).join('\n').trim();
  const quoted = lines.slice(cut).join('\n').trim();
  return text === '' || quoted === '' ? { text: whole.trim() } : { text, quoted };
}

const isQuoted = (line: string): boolean => /^\s*[>|]/.test(line);
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

const RULE = /^(?:[-_=]{5,}|-{2,} ?[^\s-](?:.{0,40}[^\s-])? ?-{2,})$/;
const FROM = /^\*?(?:from|von|de|da|van|från|fra|od|lähettäjä|от|发件人|寄件者|差出人|보낸 사람) ?\*?[:：]\*? ?\S/i;
const FIELD = /^\*?[\p{L} .-]{2,20} ?\*?[:：]/u;

/** Where a mail is repeated with its header and without marks: a rule, or `From:` with two more fields below it. */
function findHeaderBlock(lines: readonly string[]): number {
  const at = lines.findIndex(
    (line, index) => FROM.test(toShape(line)) && [1, 2].every((step) => FIELD.test(toShape(nextLine(lines, index, step)))),
  );
  if (at < 0) return lines.length;
  const before = lines.findLastIndex((line, index) => index < at && !isBlank(line));
  return before >= 0 && RULE.test(toShape(lines[before])) ? before : at;
}
/** Some programs leave a blank line between the fields. */
const nextLine = (lines: readonly string[], from: number, step: number): string =>
  lines.slice(from + 1, from + 6).filter((line) => !isBlank(line))[step - 1] ?? '';

function findSignature(lines: readonly string[]): number {
  const mark = lines.findLastIndex(isSignatureMark);
  return mark >= 0 && lines.length - mark <= MAX_SIGNATURE + 1 ? mark : lines.length;
}
