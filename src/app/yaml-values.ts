import { isMap, isPair, isScalar, LineCounter, parseDocument, type Node } from 'yaml';
import type { Field } from '../contracts/settings.ts';
import type { Placed, Problem } from './config.ts';

/** Flattens a YAML text to dotted keys with their lines. A field of kind `table` takes its value whole. */
export function flatten(text: string, kindOf: (key: string) => Field['kind'] | undefined) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problems: Problem[] = document.errors.map((error) => ({ key: '', line: lines.linePos(error.pos[0]).line, words: `not valid YAML: ${error.message}. Mend the line or move the file away.` }));
  const values = new Map<string, Placed>();
  const lineOf = (node: unknown): number => lines.linePos((node as Node | null)?.range?.[0] ?? 0).line;
  const walk = (node: unknown, path: string) => {
    if (isMap(node) && !(path !== '' && kindOf(path) === 'table')) {
      for (const pair of node.items) if (isPair(pair) && isScalar(pair.key)) walkPair(pair.key, pair.value, path);
      return;
    }
    if (path === '') problems.push({ key: '', line: lineOf(node), words: 'the file must be a table of settings (key: value lines)' });
    else values.set(path, { value: (node as Node).toJS(document), line: lineOf(node) });
  };
  const walkPair = (key: { readonly value: unknown }, value: unknown, path: string) => {
    const dotted = path === '' ? String(key.value) : `${path}.${String(key.value)}`;
    // A key without a value (`model:`) leaves the default in force.
    if (value !== null && !(isScalar(value) && value.value === null)) walk(value, dotted);
  };
  if (problems.length === 0 && document.contents !== null) walk(document.contents, '');
  // `model: NAME` is the short form of model.default.
  const short = values.get('model');
  if (short !== undefined) {
    values.delete('model');
    values.set('model.default', short);
  }
  return { values, problems };
}
