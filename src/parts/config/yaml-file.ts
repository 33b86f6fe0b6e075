import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, isSeq, parseDocument, visit, type Document, type Node, type Pair, type YAMLMap } from 'yaml';
import { UsageError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { applyEdits, renderInline, type TextEdit } from './yaml-text.ts';

/** The text, what it means, and how its lines end. */
export interface OpenYaml {
  readonly text: string;
  readonly document: Document.Parsed;
  readonly values: unknown;
  readonly newline: string;
}
export function openYaml(text: string): OpenYaml {
  const document = parseDocument(text, { keepSourceTokens: true });
  return { text, document, values: document.toJS() ?? {}, newline: text.includes('\r\n') ? '\r\n' : '\n' };
}

export type SettingPair = Pair<Node, Node | null>;
export type Section = YAMLMap<Node, Node | null>;

/** A way to make the change, and what the file must mean afterwards. */
interface Change {
  readonly edits: readonly TextEdit[];
  readonly expected: unknown;
}

/** The text after the first change that leaves it with the right meaning. A file nobody can edit so is left to its owner. */
export function verifyChange({ text }: OpenYaml, key: string, ...changes: readonly Change[]): string {
  for (const { edits, expected } of changes) {
    const next = applyEdits(text, edits);
    const read = parseDocument(next);
    if (read.errors.length === 0 && isDeepStrictEqual(read.toJS() ?? {}, expected)) return next;
  }
  throw new UsageError(`${key} cannot be changed where it is in the settings file. Nothing was changed. Edit it: hermes config edit`);
}

/** Where the key stands, or will stand: a literal dotted key and the short form `model: NAME` are found where they are. */
export function findKeyPath(document: Document, key: string): readonly string[] {
  if (document.has(key)) return [key];
  if (key === 'model.default' && isScalar(document.get('model', true)) && document.get('model') != null) return ['model'];
  return key.split('.');
}

export function findSection(document: Document, path: readonly string[]): Section | undefined {
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  return isMap<Node, Node | null>(node) ? node : undefined;
}
export const findItemIndex = (section: YAMLMap | undefined, name: string): number =>
  section?.items.findIndex(({ key }) => (isScalar(key) ? String(key.value) : undefined) === name) ?? -1;

/** Aliases of what changes or goes, written out: the change is that of one setting only. */
export function detachAliases({ document }: OpenYaml, path: readonly string[], removes = false): readonly TextEdit[] {
  const onWay = path.map((_, depth): unknown => document.getIn(path.slice(0, depth + 1), true));
  const own = new Set<unknown>(onWay);
  const target = onWay.at(-1);
  if (isMap(target) || isSeq(target)) visit(target, (_key, node) => void own.add(node));
  const edits: TextEdit[] = [];
  visit(document, {
    Alias: (_key, alias) => {
      if ((own.has(alias) && (removes || alias === target)) || !own.has(alias.resolve(document)) || alias.range == null) return;
      edits.push({ from: alias.range[0], to: alias.range[1], text: renderInline(alias.toJS(document)) });
    },
  });
  return edits;
}

/** Values with one changed, or without one when none is given. */
export function changeValue(values: unknown, [name = '', ...rest]: readonly string[], value?: unknown): Readonly<Record<string, unknown>> {
  const { [name]: there, ...others } = isObject(values) ? values : {};
  if (rest.length === 0 && value === undefined) return others;
  const known = typeof there === 'string' && name === 'model' ? { default: there } : there;
  return { ...others, [name]: rest.length === 0 ? value : changeValue(known, rest, value) };
}
