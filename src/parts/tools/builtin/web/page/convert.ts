import type { DomElement, DomDocument, Parsers, Turndown } from './dom.ts';
import { extractTitle } from './strip-tags.ts';

export interface ConvertedText {
  readonly title: string;
  readonly text: string;
}

/** Of less text than this nothing can be told about what matters in a page. */
const LEAST = 250;
/** What nobody who looks at the page sees: words for machines only, as an attacker would place them, included. */
const UNSEEN = 'body title, script, style, noscript, template, svg, iframe, object, embed, canvas, [hidden], [aria-hidden="true"]';
const HIDDEN_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d])/i;
/** What stands around the content, when the whole page must serve. */
const FRAME = 'nav, footer, form, button, select, input, [role="navigation"], [role="banner"]';

/** A page as markdown: the part worth reading where one can be told, else all of it. Links are absolute. */
export function convert(html: string, url: string, parsers: Parsers): ConvertedText {
  const page = prepared(html, url, parsers);
  const article = parsers.read(page);
  const heading = (article?.title ?? '').trim() || extractTitle(html);
  const content = article?.content ?? '';
  if ((article?.textContent ?? '').trim().length >= LEAST) return { title: heading, text: markdown(bodyOf(content, parsers), parsers) };
  // Reading takes the page apart, so it is parsed anew.
  const whole = prepared(html, url, parsers);
  const all = markdown(without(whole, FRAME).body, parsers);
  const part = content === '' ? '' : markdown(bodyOf(content, parsers), parsers);
  return { title: heading, text: all.length > part.length ? all : part };
}

function prepared(html: string, url: string, { parse }: Parsers): DomDocument {
  const page = without(parse(framed(html)), UNSEEN);
  for (const element of page.querySelectorAll('[style]')) if (HIDDEN_STYLE.test(element.getAttribute('style') ?? '')) element.remove();
  const base = URL.parse(page.querySelector('base[href]')?.getAttribute('href') ?? '', url)?.href ?? url;
  for (const link of page.querySelectorAll('a[href]')) absolute(link, 'href', base);
  for (const image of page.querySelectorAll('img')) {
    absolute(image, 'src', base);
    if ((image.getAttribute('alt') ?? '').trim() === '' || image.getAttribute('src') === null) image.remove();
  }
  return page;
}

/** The parser takes a page as it is written and misses what stands outside of a body. */
function framed(html: string): string {
  const [root, body] = [/<html\b(?:[^>"']|"[^"]{0,2000}"|'[^']{0,2000}'){0,2000}>/i.exec(html)?.[0], /<body[\s>]/i.test(html)];
  if (root === undefined) return body ? `<html>${html}</html>` : `<html><body>${html}</body></html>`;
  return body ? html : html.replace(root, () => `${root}<body>`);
}

function without(page: DomDocument, selector: string): DomDocument {
  for (const element of page.querySelectorAll(selector)) element.remove();
  return page;
}

/** An address that leads nowhere by itself (a script, bytes in the page) is dropped; the words stay. */
function absolute(element: DomElement, name: string, base: string): void {
  const whole = URL.parse(element.getAttribute(name) ?? '', base);
  if (whole !== null && /^(?:https?|mailto):$/.test(whole.protocol)) element.setAttribute(name, whole.href);
  else element.removeAttribute(name);
}

const bodyOf = (content: string, { parse }: Parsers): DomElement => parse(`<html><body>${content}</body></html>`).body;

function markdown(body: DomElement, parsers: Parsers): string {
  const service = withTables(parsers.turndown());
  // It is read, not rendered: marks against being rendered would only be in the way.
  service.escape = (text) => text;
  return service
    .turndown(body)
    .replaceAll(/[^\S\n]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

function withTables(service: Turndown): Turndown {
  service.addRule('cell', {
    filter: (node) => /^T[HD]$/.test(node.nodeName) && isData(node),
    replacement: (content, node) =>
      ` ${content
        .trim()
        .replaceAll(/\s*\n\s*/g, ' ')
        .replaceAll('|', '\\|')} |${' |'.repeat(spanOf(node) - 1)}`,
  });
  service.addRule('section', {
    filter: (node) => /^T(?:HEAD|BODY|FOOT)$/.test(node.nodeName) && isData(node),
    replacement: (content) => `\n${content.trim()}`,
  });
  service.addRule('caption', { filter: (node) => node.nodeName === 'CAPTION', replacement: (content) => `${content.trim()}\n\n` });
  service.addRule('row', {
    filter: (node) => node.nodeName === 'TR' && isData(node),
    replacement: (content, node) => `\n| ${content.trim()}${isFirst(node) ? `\n|${' --- |'.repeat(cellsOf(node))}` : ''}`,
  });
  service.addRule('table', {
    filter: (node) => node.nodeName === 'TABLE' && isData(node),
    replacement: (content) => `\n\n${content.trim()}\n\n`,
  });
  return service;
}

/** Tables within tables are there for the looks of a page. */
const isData = (node: DomElement): boolean => tableOf(node)?.querySelector('table') === null;
function tableOf(node: DomElement): DomElement | undefined {
  let here: DomElement['parentNode'] = node;
  while (here !== null && here.nodeName !== 'TABLE') here = here.parentNode;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a node of this name is an element
  return here === null ? undefined : (here as DomElement);
}
const isFirst = (row: DomElement): boolean => tableOf(row)?.querySelector('tr') === row;
const cellsOf = (row: DomElement): number => [...row.querySelectorAll('th, td')].reduce((sum, cell) => sum + spanOf(cell), 0);
/** Columns a cell takes. */
const spanOf = (cell: DomElement): number =>
  Math.min(Math.max(1, Number.parseInt(cell.getAttribute('colspan') ?? '1', 10) || 1), MAX_COLUMNS);
const MAX_COLUMNS = 50;
