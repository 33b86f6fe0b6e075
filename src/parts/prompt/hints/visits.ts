import { dirname } from 'node:path';
import { fenceTextWithKey } from '../../../base/fence.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { TextBlock, ToolMessage } from '../../../contracts/message.ts';

/** What a session has been told already. */
export interface SeenHints {
  readonly folders: Set<string>;
  /** Hashes of the rules themselves: a copy elsewhere has nothing new to say. */
  readonly rules: Set<string>;
}

const SOURCE = 'hint:';
/** Between our own line and the rules. */
const GAP = '\n\n';

/** What a hint is made of. */
export interface HintParts {
  readonly path: string;
  /** The path as the model sees it. */
  readonly name: string;
  readonly markKey: string;
  readonly opening: string;
  readonly rules: string;
}

export const createHintText = ({ path, name, markKey, opening, rules }: HintParts): TextBlock => ({
  type: 'text',
  text: fenceTextWithKey('hint', markKey, { path: name }, `${opening}${GAP}${rules}`),
  trust: 'tool',
  source: `${SOURCE}${path}`,
});

/** Whether these words are new to the session; they are not the second time. */
export function addIfNew(visits: SeenHints, rules: string): boolean {
  const hash = sha256(rules);
  const news = !visits.rules.has(hash);
  visits.rules.add(hash);
  return news;
}

/** Reads off the log what was told before the process came up. Rules that were cut are known by their folder only. */
export function restoreSeenHints(visits: SeenHints, messages: readonly ToolMessage[]): void {
  for (const block of messages.flatMap((message) => message.content)) {
    if (block.type !== 'text' || block.source?.startsWith(SOURCE) !== true) continue;
    visits.folders.add(dirname(block.source.slice(SOURCE.length)));
    const told = block.text.trimStart();
    const rules = told.slice(told.indexOf(GAP) + GAP.length);
    // Hints of sessions from before there were marks end with the rules.
    addIfNew(visits, told.startsWith('<') ? rules.slice(0, rules.lastIndexOf('\n')) : rules);
  }
}

/** A map that lets go of what was not used for longest. */
export function createLruMap<Value extends object>(most: number, make: (key: string) => Value) {
  const kept = new Map<string, Value>();
  return {
    of: (key: string): Value => {
      const value = kept.get(key) ?? make(key);
      kept.delete(key);
      kept.set(key, value);
      for (const [oldest] of kept) if (kept.size > most) kept.delete(oldest);
      return value;
    },
    forget: (key: string): void => void kept.delete(key),
  };
}
