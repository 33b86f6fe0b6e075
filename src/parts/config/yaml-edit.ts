import { isMap, isScalar, parseDocument, type Document } from 'yaml';

/** A settings file with one setting changed; comments, order and everything else stay. */
export function withSetting(text: string, key: string, value: unknown): string {
  const document = parseDocument(text, { keepSourceTokens: false });
  const path = pathIn(document, key);
  makeRoom(document, path);
  const there = document.getIn(path, true);
  if (isScalar(there) && !isCollection(value)) {
    // The node keeps its comment and its quotes.
    there.value = value;
    delete there.format;
    delete there.source;
  } else document.setIn(path, document.createNode(value, isCollection(value) ? { flow: isShort(value) } : {}));
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** A settings file without one setting, and without sections that are empty then; comments stay. Nothing when it was not there. */
export function withoutSetting(text: string, key: string): string | undefined {
  const document = parseDocument(text, { keepSourceTokens: false });
  const path = [...pathIn(document, key)];
  if (!document.hasIn(path)) return undefined;
  removeAt(document, path);
  for (path.pop(); path.length > 0; path.pop()) {
    const section = document.getIn(path, true);
    if (!isMap(section) || section.items.length > 0) break;
    removeAt(document, path);
  }
  const isEmpty = isMap(document.contents) && document.contents.items.length === 0;
  if (isEmpty) document.contents = null;
  const rest = document.toString({ lineWidth: 0, flowCollectionPadding: false });
  return isEmpty ? rest.replace(/(?:^|\n)null\n$/, '') : rest;
}

/** Takes a pair out of its section; a comment above it goes to what follows, or to the head of the file. */
function removeAt(document: Document, path: readonly string[]): void {
  const section = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isMap(section)) return;
  const index = section.items.findIndex(({ key }) => (isScalar(key) ? key.value : key) === path.at(-1));
  const [pair] = section.items.splice(index, 1);
  const note = isScalar(pair?.key) ? pair.key.commentBefore : undefined;
  if (note === undefined || note === null) return;
  const next = section.items[index]?.key;
  const heir = isScalar(next) ? next : document;
  heir.commentBefore = [note, ...(heir.commentBefore ? [heir.commentBefore] : [])].join('\n');
}

/** Where the key stands, or will stand: a literal dotted key and the short form `model: NAME` are found where they are. */
function pathIn(document: Document, key: string): readonly string[] {
  if (document.has(key)) return [key];
  if (key === 'model.default' && isScalar(document.get('model', true)) && document.get('model') !== null) return ['model'];
  return key.split('.');
}

/** Sections on the way that are empty, or hold a model's name instead of a section, become sections. */
function makeRoom(document: Document, path: readonly string[]): void {
  if (!isMap(document.contents)) document.contents = document.createNode({}) as typeof document.contents;
  for (let depth = 1; depth < path.length; depth++) {
    const here = path.slice(0, depth);
    const node = document.getIn(here, true);
    if (node === undefined || isMap(node)) continue;
    document.setIn(here, document.createNode({}));
    // The name takes its comment along.
    if (here[0] === 'model' && isScalar(node) && typeof node.value === 'string') document.setIn(['model', 'default'], node);
  }
}

const isCollection = (value: unknown): boolean => typeof value === 'object' && value !== null;
const isShort = (value: unknown): boolean => Array.isArray(value) && value.every((part) => typeof part === 'string');
