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
