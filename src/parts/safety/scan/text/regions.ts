/** What kind of place a character stands in; a set of bits per character of the plain text. */
export const PLACE = { fence: 1, quoted: 2, comment: 4, veiled: 8, title: 16, table: 32, code: 64 } as const;

/** Marks fences, quotations, tables and the places a reader of the rendered page never sees. */
export function findRegions(text: string): Uint8Array {
  const places = new Uint8Array(text.length);
  const mark = (from: number, to: number, place: number) => {
    for (let at = Math.max(0, from); at < Math.min(to, text.length); at++) places[at] = (places[at] ?? 0) | place;
  };
  markLines(text, mark);
  markComments(text, mark);
  markVeiled(text, mark, places);
  return places;
}

type MarkRegion = (from: number, to: number, place: number) => void;

const QUOTATION = /`[^`\n]{1,300}`|"[^"\n]{1,300}"/g;
/** Link definitions that render to nothing, and the title of an image or a link. */
const UNSEEN_LINE = /^\s{0,3}\[(?:\/\/|comment|#|_metadata[^\]\n]{0,20}|\.|hidden|note)\]:\s/;
const TITLE =
  /\]\([^()\s]{0,300}\s+["']([^"'\n]{8,600})["']|!\[([^\]\n]{24,600})\]|\b(?:alt|title|aria-label)\s*=\s*["']([^"'\n]{8,600})["']/g;

function markLines(text: string, mark: MarkRegion): void {
  let fenced = false;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, Math.min(end, start + LONGEST_LINE));
    const head = line.trimStart();
    const fence = head.startsWith('```') || head.startsWith('~~~');
    if (fence) fenced = !fenced;
    if (fenced || fence) mark(start, end, PLACE.fence);
    else markProse(line, head, start, end, mark);
    start = end + 1;
  }
}
const LONGEST_LINE = 20_000;

function markProse(line: string, head: string, start: number, end: number, mark: MarkRegion): void {
  if (head.startsWith('>')) mark(start, end, PLACE.quoted);
  if (head.startsWith('|')) mark(start, end, PLACE.table);
  if (UNSEEN_LINE.test(line)) mark(start, end, PLACE.comment);
  for (const match of line.matchAll(QUOTATION))
    mark(start + match.index, start + match.index + match[0].length, match[0].startsWith('`') ? PLACE.quoted | PLACE.code : PLACE.quoted);
  for (const match of line.matchAll(TITLE)) mark(start + match.index, start + match.index + match[0].length, PLACE.title);
}

/** A comment ends at its mark. An HTML comment that nobody closed hides the rest of the text. */
function markComments(text: string, mark: MarkRegion): void {
  for (const [open, close, lasting] of COMMENTS) {
    for (let at = text.indexOf(open); at >= 0;) {
      const end = text.indexOf(close, at + open.length);
      if (end < 0 && lasting) mark(at, text.length, PLACE.comment);
      if (end < 0) break;
      mark(at, end, PLACE.comment);
      at = text.indexOf(open, end + close.length);
    }
  }
}
const COMMENTS = [
  ['<!--', '-->', true],
  ['{/*', '*/}', false],
  ['{# ', '#}', false],
  ['%% ', '%%', false],
] as const;

const TAG = /<([a-z][a-z0-9-]{0,20})(\s[^<>]{0,600})?>/g;
const HIDING =
  /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0?\.?0*(?![.\d])|font-size\s*:\s*[01](?:px|pt|em|rem|%)?(?![.\d])|(?<![-\w])color\s*[:=]\s*["']?(?:white|transparent|#fff(?:fff)?\b|rgba\([^)]{0,30},\s*0\))|(?:width|height)\s*[:=]\s*["']?[01](?:px)?(?![.\d%])|(?:left|top|text-indent)\s*:\s*-\d{3,}|(?:^|\s)hidden(?=$|[\s=])|clip\s*:\s*rect\(0|max-height\s*:\s*0|\bsize\s*=\s*["']?[01]\b/;
const NEVER_SHOWN = new Set(['template', 'noscript', 'script', 'metadata', 'desc', 'noframes', 'object']);
const UNCLOSED = 600;

/** The content of an element that is styled away or never rendered. */
function markVeiled(text: string, mark: MarkRegion, places: Uint8Array): void {
  const closings = new Map<string, number>();
  for (const match of text.matchAll(TAG)) {
    const [all, name = '', attributes = ''] = match;
    if (!NEVER_SHOWN.has(name) && !HIDING.test(attributes)) continue;
    const start = match.index + all.length;
    // Kept per name: a thousand open tags must not each look through the whole text.
    let close = closings.get(name) ?? -2;
    if (close !== -1 && close < start) closings.set(name, (close = text.indexOf(`</${name}`, start)));
    const quoted = ((places[match.index] ?? 0) & PLACE.quoted) !== 0;
    const end = close >= 0 ? close : VOID.has(name) || quoted ? start : start + UNCLOSED;
    if (((places[start] ?? 0) & PLACE.veiled) === 0) mark(match.index, end, PLACE.veiled);
  }
}
const VOID = new Set(['img', 'input', 'br', 'hr', 'meta', 'link', 'embed', 'source']);
