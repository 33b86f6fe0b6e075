import { isAlias, isMap, isNode, isScalar, LineCounter, parseDocument, visit, type Document, type YAMLError } from 'yaml';
import { toErrorMessage } from '../../base/errors.ts';
import type { SettingField } from '../../contracts/settings.ts';
import type { ValueWithLine, ConfigProblem } from './problem.ts';

export interface FlattenedConfig {
  readonly values: ReadonlyMap<string, ValueWithLine>;
  readonly problems: readonly ConfigProblem[];
}

/** Flattens a YAML text to dotted keys with their lines. A field of kind `table` takes its value whole. */
export function flatten(text: string, kindOf: (key: string) => SettingField['kind'] | undefined): FlattenedConfig {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const lineAt = (position: number): number => lines.linePos(position).line;
  if (document.errors.length > 0) return { values: new Map(), problems: document.errors.map((error) => broken(error, lineAt)) };
  const twice = findRepeatedKeys(document, lineAt);
  if (twice.length > 0) return { values: new Map(), problems: twice };
  if (document.contents === null) return { values: new Map(), problems: [] };
  const walk = walker(document, kindOf, lineAt);
  walk.node(document.contents, '', 1);
  return { values: shortForm(walk.values), problems: walk.problems };
}

/** What to do about the mistakes people make most; the parser's own words say the rest. */
const CURES: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'Indent with spaces, not with tabs.',
  BAD_INDENT: 'Give all keys of one section the same indentation.',
  MISSING_CHAR: 'Close the quote or bracket that was opened.',
  BLOCK_AS_IMPLICIT_KEY: 'Put quotes around a value that contains a colon.',
};

function broken({ code, message, pos }: YAMLError, lineAt: (position: number) => number): ConfigProblem {
  if (code === 'MULTIPLE_DOCS')
    return {
      key: '',
      line: lineAt(pos[0]),
      words: 'a second document begins here, and only one is read',
      cure: 'Remove the --- line between them.',
    };
  const words = `this is not valid YAML: ${message.replace(/\.$/, '')}`;
  return { key: '', line: lineAt(pos[0]), words, cure: CURES[code] ?? 'Mend this line, or move the file away to start with the defaults.' };
}

/** The library compares every key with every other, which takes minutes for a map of many. */
function findRepeatedKeys(document: Document, lineAt: (position: number) => number): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  visit(document, {
    Map: (_key, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value))
          problems.push({
            key: '',
            line: lineAt(key.range?.[0] ?? 0),
            words: `this is not valid YAML: ${String(key.value)} is set twice in the same section`,
            cure: 'Keep one of the two lines and remove the other.',
          });
        seen.add(key.value);
      }
    },
  });
  return problems;
}

function walker(document: Document, kindOf: (key: string) => SettingField['kind'] | undefined, lineAt: (position: number) => number) {
  const values = new Map<string, ValueWithLine>();
  const problems: ConfigProblem[] = [];
  const node = (found: unknown, path: string, line: number): void => {
    const target = isAlias(found) ? found.resolve(document) : found;
    if (isMap(target) && kindOf(path) !== 'table') {
      for (const { key, value } of target.items) pair(key, value, path, line);
    } else if (path === '') {
      problems.push({ key: '', line, words: 'the file is not a table of settings', cure: 'Write lines of the form key: value.' });
    } else leaf(found, path, line);
  };
  const pair = (key: unknown, value: unknown, path: string, above: number): void => {
    const name = isScalar(key) ? String(key.value) : String(key);
    const line = lineOf(key, above);
    // A key without a value (`model:`) leaves the default in force.
    if (value !== null && !(isScalar(value) && value.value === null)) node(value, path === '' ? name : `${path}.${name}`, line);
  };
  const leaf = (found: unknown, path: string, line: number): void => {
    try {
      if (isNode(found)) values.set(path, { value: found.toJS(document), line });
    } catch (error) {
      problems.push({
        key: path,
        line,
        words: `${path} cannot be read: ${toErrorMessage(error)}`,
        cure: 'Write the value instead of an alias.',
      });
    }
  };
  const lineOf = (found: unknown, otherwise: number): number => {
    const range = isNode(found) ? found.range : undefined;
    return range == null ? otherwise : lineAt(range[0]);
  };
  return { node, values, problems };
}

/** `model: NAME` is the short form of model.default. */
function shortForm(values: Map<string, ValueWithLine>): Map<string, ValueWithLine> {
  const short = values.get('model');
  if (short === undefined) return values;
  values.delete('model');
  return values.set('model.default', short);
}
