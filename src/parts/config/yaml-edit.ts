import { isDeepStrictEqual } from 'node:util';
import { isAlias, isScalar, isSeq, type Document, type Node, type YAMLMap } from 'yaml';
import { isObject } from '../../base/json.ts';
import * as source from './yaml-text.ts';
import type { TextEdit } from './yaml-text.ts';
import {
  changeValue,
  detachAliases,
  findItemIndex,
  findKeyPath,
  findSection,
  openYaml,
  verifyChange,
  type OpenYaml,
  type SettingPair,
} from './yaml-file.ts';

/**
 * A settings file with one setting changed. Every other byte stays: comments, order, indentation, quotes, line ends. What shares the
 * changed value by an alias keeps the value it had.
 */
export function withSetting(text: string, key: string, value: unknown): string {
  const file = openYaml(text);
  const path = findKeyPath(file.document, key);
  const edits = [...setEdits(file, path, value), ...detachAliases(file, path)];
  return verifyChange(file, key, { edits, expected: changeValue(file.values, path, value) });
}

function setEdits(file: OpenYaml, path: readonly string[], value: unknown): readonly TextEdit[] {
  const depth = path.findLastIndex((_, place) => findSection(file.document, path.slice(0, place)) !== undefined);
  const section = findSection(file.document, path.slice(0, Math.max(depth, 0)));
  if (section === undefined) return [appendToFile(file, path, value)];
  const pair = section.items[findItemIndex(section, path[depth] ?? '')];
  const rest = path.slice(depth + 1);
  if (pair === undefined) return [addToSection(file, section, path.slice(depth), value)];
  if (rest.length === 0) return replaceValue(file, pair, value, section);
  return makeSection(file, pair, { section, path: path.slice(0, depth + 1), rest, value });
}

/** The first setting of a file that has none. */
function appendToFile({ text, newline }: OpenYaml, path: readonly string[], value: unknown): TextEdit {
  const gap = text.trim() === '' ? '' : `${text.endsWith('\n') ? '' : newline}${newline}`;
  return { from: text.length, to: text.length, text: gap + source.indentLines(source.renderLines(path, value), 0, newline) };
}

function addToSection(file: OpenYaml, section: YAMLMap, path: readonly string[], value: unknown): TextEdit {
  const { text } = file;
  const last = section.items.at(-1);
  if (section.flow === true) {
    const words = source.renderInline(nested(path, value)).slice(1, -1);
    const from = last === undefined ? (section.range?.[0] ?? 0) + 1 : source.endOfContent(last);
    return { from, to: from, text: last === undefined ? words : `, ${words}` };
  }
  const indent = section.srcToken?.type === 'block-map' ? section.srcToken.indent : 0;
  return addLines(file, source.startOfNextLine(text, source.endOfContent(last)), indent, source.renderLines(path, value));
}

/** Lines at the start of a line, also where the last line before them has no end. */
function addLines({ text, newline }: OpenYaml, from: number, indent: number, lines: string): TextEdit {
  const open = from > 0 && text[from - 1] !== '\n';
  const words = source.indentLines(lines, indent, newline);
  return { from, to: from, text: open ? `${newline}${words.slice(0, -newline.length)}` : words };
}

function replaceValue(file: OpenYaml, pair: SettingPair, value: unknown, section: YAMLMap): readonly TextEdit[] {
  const { text, newline } = file;
  if (source.isAbsent(pair)) {
    const from = source.endOfKey(pair);
    return [{ from, to: from, text: `${source.hasColon(pair) ? '' : ':'} ${source.renderInline(value)}` }];
  }
  const items = Array.isArray(value) ? changeItems(file, pair.value, value) : undefined;
  if (items !== undefined) return items;
  const [from, to] = [source.startOfValue(pair), source.endOfContent(pair.value)];
  const end = text[to - 1] === '\n' ? newline : '';
  // A value on lines of its own moves up behind its key.
  const lead = section.flow !== true && isOnNextLine(text, source.endOfKey(pair), from) ? source.endOfKey(pair) : from;
  const bare = lead === from || text.slice(lead, from).includes('#') ? from : lead;
  return [{ from: bare, to, text: `${bare === from ? '' : ' '}${source.renderInline(value, pair.value)}${end}` }];
}
const isOnNextLine = (text: string, key: number, value: number): boolean => text.slice(key, value).includes('\n');

/** A list from which words go and to whose end words come: the lines of those that stay are not touched. */
function changeItems(file: OpenYaml, list: Node | null, wanted: readonly unknown[]): readonly TextEdit[] | undefined {
  if (!isSeq(list) || !list.items.every((item) => isScalar(item))) return undefined;
  const there = list.items.map((item) => (isScalar(item) ? item.value : undefined));
  const kept = there.filter((word) => wanted.includes(word));
  const added = wanted.slice(kept.length);
  const last = list.items.findLast((item) => isScalar(item) && wanted.includes(item.value));
  if (last === undefined || !isDeepStrictEqual([...kept, ...added], [...wanted])) return undefined;
  if (list.flow === true && !file.text.slice(list.range?.[0], list.range?.[1]).includes('#')) return undefined;
  const removed = there.flatMap((word, index) =>
    wanted.includes(word) ? [] : source.removeItem(file.text, list.srcToken, index, list.items[index]),
  );
  if (list.flow === true && removed.length > 0 && added.length > 0) return undefined;
  return [...removed, ...addItems(file, source.endOfContent(last), list.flow === true ? undefined : list.srcToken, added)];
}

function addItems(file: OpenYaml, end: number, block: unknown, added: readonly unknown[]): readonly TextEdit[] {
  if (added.length === 0) return [];
  const words = added.map((word) => source.renderInline(word));
  if (block === undefined) return [{ from: end, to: end, text: words.map((word) => `, ${word}`).join('') }];
  const indent = isObject(block) && typeof block['indent'] === 'number' ? block['indent'] : 0;
  return [addLines(file, source.startOfNextLine(file.text, end), indent, words.map((word) => `- ${word}\n`).join(''))];
}

interface NewSection {
  readonly section: YAMLMap;
  readonly path: readonly string[];
  readonly rest: readonly string[];
  readonly value: unknown;
}

/** Nothing, a model's name, an alias or another mistake stands where a section belongs: it becomes one. */
function makeSection(file: OpenYaml, pair: SettingPair, { section, path, rest, value }: NewSection): readonly TextEdit[] {
  const { text, document } = file;
  const before = sectionBefore(document.getIn(path, true), path, document);
  const asLines = section.flow !== true && !isAlias(pair.value);
  if (!asLines) return replaceValue(file, pair, changeValue(before, rest, value), section);
  const column = (pair.key.range?.[0] ?? 0) - source.startOfLine(text, pair.key.range?.[0] ?? 0);
  const lines = source.renderLines(rest, value);
  if (source.isAbsent(pair)) return [addLines(file, source.startOfNextLine(text, source.endOfKey(pair)), column + INDENT, lines)];
  const [from, to] = [source.startOfValue(pair), source.endOfContent(pair.value)];
  const added = addLines(file, source.startOfNextLine(text, to), column + INDENT, lines);
  if (!('default' in before)) return [{ from: source.endOfKey(pair), to, text: '' }, added];
  // The model's name takes its comment along.
  return [{ from: source.endOfKey(pair), to: from, text: `${file.newline}${' '.repeat(column + INDENT)}default: ` }, added];
}
const INDENT = 2;

/** What the section holds already: all of a shared one, or the name of the model in its short form. */
function sectionBefore(node: unknown, path: readonly string[], document: Document): Readonly<Record<string, unknown>> {
  const target: unknown = isAlias(node) ? node.toJS(document) : undefined;
  if (isObject(target)) return target;
  return path.join('.') === 'model' && isScalar(node) && typeof node.value === 'string' ? { default: node.value } : {};
}

const nested = (path: readonly string[], value: unknown): unknown => path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
