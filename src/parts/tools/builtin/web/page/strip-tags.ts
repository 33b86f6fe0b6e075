/** Elements whose content is not for readers. */
const RAW: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head', 'title', 'iframe']);
const BLOCK = /^\/?(?:p|div|br|li|ul|ol|tr|table|h[1-6]|section|article|header|footer|main|pre|blockquote|hr|dd|dt)$/;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The text of a page by its tags alone, in one pass over it: for pages no parser should be let loose on. */
export function stripTags(html: string): string {
  const parts: string[] = [];
  const lower = html.toLowerCase();
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) break;
    parts.push(html.slice(at, open));
    const isComment = lower.startsWith('<!--', open);
    const close = isComment ? html.indexOf('-->', open) : html.indexOf('>', open);
    if (close < 0) return tidy(parts.join(''));
    const name = /^<(\/?[a-z][a-z0-9]*)/.exec(lower.slice(open, open + 20))?.[1] ?? '';
    if (BLOCK.test(name)) parts.push('\n');
    at = close + (isComment ? 3 : 1);
    if (isComment || !RAW.has(name)) continue;
    const end = lower.indexOf(`</${name}`, at);
    if (end < 0) return tidy(parts.join(''));
    at = end;
  }
  return tidy(parts.join('') + html.slice(at));
}

/** The title as the page gives it. */
export function titleIn(html: string): string {
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
