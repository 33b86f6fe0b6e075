import type { Part } from './ast.ts';
import type { Cursor } from './cursor.ts';
import { enclosed, type ReadList } from './dollar.ts';

/** `<( … )` and `>( … )`: what becomes part of the word is the name of a pipe. */
export function processPipe(cursor: Cursor, parts: Part[], list: ReadList): boolean {
  if (cursor.line[cursor.at + 1] !== '(') return false;
  const out = cursor.char === '>';
  cursor.at += 2;
  parts.push({ type: 'pipe', body: enclosed(cursor, list), out });
  return true;
}
