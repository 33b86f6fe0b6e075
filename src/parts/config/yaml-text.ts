import { Document, isCollection, isNode, isPair, isScalar, type CST, type Node, type Pair, type Scalar } from 'yaml';

/** One stretch of a text and what stands there afterwards. */
export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Edits never overlap. Of two at one place the first stays first. */
export const applyEdits = (text: string, edits: readonly TextEdit[]): string =>
  edits
    .toSorted((one, other) => one.from - other.from || one.to - other.to)
    .reduceRight((rest, { from, to, text: words }) => rest.slice(0, from) + words + rest.slice(to), text);

/** One value as it stands behind its key, on one line. */
export function renderInline(value: unknown, like?: unknown): string {
  // oxlint-disable-next-line no-control-regex -- such a text would otherwise be written over several lines
  if (typeof value === 'string' && /[\u0000-\u001f]/.test(value)) return JSON.stringify(value);
  const document = new Document([value]);
  if (isCollection(document.contents)) document.contents.flow = true;
  const node = document.get(0, true);
  if (isScalar(node) && isScalar(like) && typeof value === 'string' && isQuoted(like)) node.type = like.type;
  return document.toString(ON_ONE_LINE).trimEnd().slice(1, -1);
}
const isQuoted = (scalar: Scalar): scalar is Scalar & { type: Scalar.Type } =>
  scalar.type === 'QUOTE_DOUBLE' || scalar.type === 'QUOTE_SINGLE';
const ON_ONE_LINE = { lineWidth: 0, flowCollectionPadding: false } as const;

/** `{a: {b: value}}` as lines without indentation, the last with its end. */
export function renderLines(path: readonly string[], value: unknown): string {
  const document = new Document(path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value));
  const node = document.getIn(path);
  if (isCollection(node)) node.flow = isShortList(value);
  return document.toString(ON_ONE_LINE);
}
const isShortList = (value: unknown): boolean => Array.isArray(value) && value.every((part) => typeof part === 'string');

export const indentLines = (lines: string, indent: number, newline: string): string =>
  lines.replaceAll(/^(?=.)/gm, ' '.repeat(indent)).replaceAll('\n', newline);

/** Where the content of a node or a pair ends; a comment behind it is no part of it. */
export function endOfContent(item: unknown): number {
  if (isPair<Node, Node | null>(item)) return isAbsent(item) ? endOfKey(item) : endOfContent(item.value);
  if (isCollection(item) && item.flow !== true && item.items.length > 0) return endOfContent(item.items.at(-1));
  return isNode(item) ? (item.range?.[1] ?? 0) : 0;
}

/** Whether nothing is written behind the colon. */
export const isAbsent = ({ value, srcToken }: Pair<Node, Node | null>): boolean =>
  value === null || srcToken?.value == null || ('source' in srcToken.value && srcToken.value.source === '');

/** Behind the colon, or behind a key that has none. An anchor or a tag before nothing is passed over. */
export function endOfKey({ key, srcToken }: Pair<Node>): number {
  const last = (srcToken?.sep ?? []).findLast(({ type }) => type === 'map-value-ind' || type === 'anchor' || type === 'tag');
  return last === undefined ? (key.range?.[1] ?? 0) : last.offset + last.source.length;
}
export const hasColon = ({ srcToken }: Pair<Node>): boolean => (srcToken?.sep ?? []).some(({ type }) => type === 'map-value-ind');

/** Where a value begins, with the anchor and the tag before it. */
export function startOfValue({ srcToken, value }: Pair<Node, Node | null>): number {
  const property = (srcToken?.sep ?? []).find(({ type }) => type === 'anchor' || type === 'tag');
  return property?.offset ?? value?.range?.[0] ?? 0;
}

/** The edits that take one item out of a map or a list: its lines, or between brackets the item and one comma. */
export function removeItem(text: string, container: CST.Token | undefined, index: number, item: unknown): readonly TextEdit[] {
  if (container?.type !== 'flow-collection' && container?.type !== 'block-map' && container?.type !== 'block-seq') return [];
  const token = container.items[index];
  const from = startOfItem(token);
  const to = endOfContent(item);
  if (container.type !== 'flow-collection') return [{ from: startOfLine(text, from), to: startOfNextLine(text, to), text: '' }];
  // The comma behind it with the space up to the next, or the one before the last.
  const behind = commaOf(container.items[index + 1]);
  if (behind === undefined) return [{ from, to, text: '' }, ...removeComma(text, commaOf(token), 0)];
  const gap = / *$/.exec(text.slice(to, behind.offset))?.[0].length ?? 0;
  return [{ from, to, text: '' }, ...removeComma(text, behind, gap)];
}
const commaOf = (item: CST.CollectionItem | undefined): CST.SourceToken | undefined => item?.start.find(({ type }) => type === 'comma');
function removeComma(text: string, comma: CST.SourceToken | undefined, gap: number): readonly TextEdit[] {
  if (comma === undefined) return [];
  const space = /^ */.exec(text.slice(comma.offset + 1))?.[0].length ?? 0;
  const isLast = /^\s*[}\]#]/.test(text.slice(comma.offset + 1));
  return [{ from: comma.offset - gap, to: comma.offset + 1 + (isLast ? 0 : space), text: '' }];
}

function startOfItem(token: CST.CollectionItem | undefined): number {
  const first = token?.start.find(({ type }) => !['space', 'newline', 'comment', 'comma'].includes(type));
  return first?.offset ?? token?.key?.offset ?? token?.value?.offset ?? 0;
}

export const startOfLine = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;
/** Behind the end of the line; a content that ends with its line (a block of text) is at the next already. */
export function startOfNextLine(text: string, at: number): number {
  if (at > 0 && text[at - 1] === '\n') return at;
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}
