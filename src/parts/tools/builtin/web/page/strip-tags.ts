/** Elements whose content is not for readers. */
const RAW: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head', 'title', 'iframe']);
const BLOCK = /^\/?(?:p|div|br|li|ul|ol|tr|table|h[1-6]|section|article|header|footer|main|pre|blockquote|hr|dd|dt)$/;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The text of a page by its tags alone, in one pass over it: for pages no parser should be let loose on. */
export function stripTags(html: string): string {
  const parts: string[] = [];
  const lower = html.toLowerCase();
  const endOf = tagEnds(html);
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) break;
    parts.push(html.slice(at, open));
    const isComment = lower.startsWith('<!--', open);
    const close = isComment ? html.indexOf('-->', open) : endOf(open);
    if (close < 0) return tidy(parts.join(''));
    const name = /^<(\/?[a-z][a-z0-9]*)/.exec(lower.slice(open, open + 20))?.[1] ?? '';
    if (BLOCK.test(name)) parts.push('\n');
    else if (name === 'td' || name === 'th') parts.push(' ');
    at = close + (isComment ? 3 : 1);
    if (isComment || !RAW.has(name)) continue;
    const end = lower.indexOf(`</${name}`, at);
    if (end < 0) return tidy(parts.join(''));
    at = end;
  }
  return tidy(parts.join('') + html.slice(at));
}

/** Where tags end. A `>` in a quoted value, such as the code of an inline handler, ends nothing. */
function tagEnds(html: string): (open: number) => number {
  const last = { '"': html.lastIndexOf('"'), "'": html.lastIndexOf("'") };
  return (open) => {
    let end = html.indexOf('>', open);
    for (let at = open; end >= 0;) {
      QUOTED.lastIndex = at;
      const found = QUOTED.exec(html.slice(0, end));
      if (found === null) return end;
      const quote = found[1] === '"' ? '"' : "'";
      const from = found.index + found[0].length;
      // A quote that is never closed is no value.
      const closing = from <= last[quote] ? html.indexOf(quote, from) : -1;
      if (closing < 0) return end;
      at = closing + 1;
      if (closing > end) end = html.indexOf('>', closing);
    }
    return end;
  };
}
const QUOTED = /=\s{0,10}(["'])/g;

/** The title as the page gives it. */
export function extractTitle(html: string): string {
  const head = html.slice(0, 100_000);
  const open = head.toLowerCase().indexOf('<title');
  const start = open < 0 ? -1 : head.indexOf('>', open);
  const end = start < 0 ? -1 : head.indexOf('<', start);
  return end < 0 ? '' : tidy(head.slice(start + 1, end)).replaceAll(/\s+/g, ' ');
}

const tidy = (text: string): string =>
  text
    .replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,6}));/gi, entity)
    .split('\n')
    .map((line) => line.replaceAll(/[ \t\r\f\v]+/g, ' ').trim())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

function entity(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
  const point = Number.parseInt(decimal ?? hex ?? '', decimal === undefined ? 16 : 10);
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
}
