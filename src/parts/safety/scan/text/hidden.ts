/** Words at a place that a reader of the rendered page never sees. */
export interface HiddenPlace {
  readonly threat: 'html_comment_injection' | 'hidden_div';
  readonly at: number;
  readonly end: number;
  /** Content of an element that is styled away. Comments and titles have everyday uses that such an element lacks. */
  readonly veiled: boolean;
}

const COMMENT = /<!--|<\?(?!php|xml)|<!\[cdata\[/g;
const COMMENT_ENDS: Readonly<Record<string, string>> = { '<!--': '-->', '<?': '?>', '<![cdata[': ']]>' };
/** Link definitions that render to nothing. */
const UNSEEN_LINE = /^[ \t]{0,3}\[(?:\/\/|comment|#|_?metadata[^\]\n]{0,20}|\.|hidden|note)\]:[ \t][^\n]{0,4000}/gm;
const TITLE =
  /\]\([^()\s]{0,300}\s{1,9}["'][^"'\n]{8,600}["']|!\[[^\]\n]{24,600}\]|\b(?:alt|title|aria-label)\s{0,9}=\s{0,9}["'][^"'\n]{8,600}["']/g;
const TAG = /<[ \t]{0,3}([a-z][a-z0-9-]{0,20})(\s[^<>]{0,600})?>/g;
const HIDING =
  /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0?\.?0*(?![.\d])|font-size\s*:\s*[01](?:px|pt|em|rem|%)?(?![.\d])|(?<![-\w])color\s*[:=]\s*["']?(?:white|transparent|#fff(?:fff)?\b|rgba\([^)]{0,30},\s*0\))|(?:width|height)\s*[:=]\s*["']?[01](?:px)?(?![.\d%])|(?:left|top|text-indent)\s*:\s*-\d{3,}|(?:^|\s)hidden(?=$|[\s=])|clip\s*:\s*rect\(0|max-height\s*:\s*0|\bsize\s*=\s*["']?[01]\b/;
const NEVER_SHOWN = new Set(['template', 'noscript', 'script', 'metadata', 'desc', 'noframes', 'object']);
const VOID = new Set(['img', 'input', 'br', 'hr', 'meta', 'link', 'embed', 'source']);
const UNCLOSED = 600;

/** All places of the plain text that are not shown, apart from examples in code. */
export function findHiddenPlaces(text: string): readonly HiddenPlace[] {
  const threat = 'html_comment_injection';
  const title = (found: RegExpExecArray): HiddenPlace => ({ threat: 'hidden_div', ...span(found), veiled: false });
  const places = [
    ...comments(text),
    ...Array.from(text.matchAll(UNSEEN_LINE), (found) => ({ threat, ...span(found), veiled: false }) as const),
    ...Array.from(text.matchAll(TITLE), title),
    ...elements(text),
  ];
  if (places.length === 0) return places;
  const code = codeRanges(text);
  return places.filter(({ at }) => !code(at));
}

const span = ({ index, 0: all }: RegExpExecArray) => ({ at: index, end: index + all.length });

/** A comment that is not closed hides the rest of the text. */
function* comments(text: string): Generator<HiddenPlace> {
  const unclosed = new Set<string>();
  let done = 0;
  for (const { index, 0: open } of text.matchAll(COMMENT)) {
    if (index < done || unclosed.has(open)) continue;
    const close = text.indexOf(COMMENT_ENDS[open] ?? '', index + open.length);
    if (close < 0) unclosed.add(open);
    if (close < 0 && open !== '<!--') continue;
    done = close < 0 ? text.length : close;
    yield { threat: 'html_comment_injection', at: index + open.length, end: done, veiled: false };
  }
}

function* elements(text: string): Generator<HiddenPlace> {
  const closings = new Map<string, number>();
  let done = 0;
  for (const { index, 0: all, 1: name = '', 2: attributes = '' } of text.matchAll(TAG)) {
    const veiled = HIDING.test(attributes);
    const at = index + all.length;
    if (at <= done || VOID.has(name) || (!veiled && !NEVER_SHOWN.has(name))) continue;
    // Kept per name: a thousand open tags must not each look through the whole text.
    let close = closings.get(name) ?? -2;
    if (close !== -1 && close < at) closings.set(name, (close = text.indexOf(`</${name}`, at)));
    done = close < 0 ? Math.min(text.length, at + UNCLOSED) : close;
    yield { threat: 'hidden_div', at, end: done, veiled };
  }
}

/** Whether an offset stands in a fence or in backticks; offsets may come in any order. */
export function codeRanges(text: string): (at: number) => boolean {
  const ranges = Array.from(text.matchAll(/^[ \t]*(```|~~~)[^\n]*\n(?:(?![ \t]*\1)[^\n]*\n)*(?:[ \t]*\1)?|`[^`\n]{1,300}`/gm), span);
  return (at) => {
    let low = 0;
    let high = ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ranges[middle]?.end ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return (ranges[low]?.at ?? Number.POSITIVE_INFINITY) <= at;
  };
}
