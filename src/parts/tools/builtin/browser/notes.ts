import { toOneLine } from '../../../../base/printable.ts';
import { takeStart } from '../../../../base/text.ts';

const MAX_NOTES = 20;
const NOTE_CHARS = 300;
const MAX_LINES = 200;
const LINE_CHARS = 500;

/** What happened beside the commands and the model should know with the next result. */
export interface Notes {
  add(words: string): void;
  take(): readonly string[];
}

export function openNotes(): Notes {
  let kept: string[] = [];
  let more = 0;
  return {
    add: (words) => {
      if (kept.length < MAX_NOTES) kept.push(shortenLine(words, NOTE_CHARS));
      else more++;
    },
    take: () => {
      const all = more === 0 ? kept : [...kept, `${more} more of the kind`];
      [kept, more] = [[], 0];
      return all;
    },
  };
}

/** What the page's scripts said, the newest kept. */
export interface ConsoleLog {
  add(kind: string, words: string): void;
  lines(): readonly string[];
  /** Lines that were too old to be kept. */
  dropped(): number;
  clear(): void;
}

export function createConsoleLog(): ConsoleLog {
  let lines: string[] = [];
  let dropped = 0;
  return {
    add: (kind, words) => {
      lines.push(`${kind}: ${shortenLine(words, LINE_CHARS)}`);
      if (lines.length > MAX_LINES) dropped += lines.splice(0, lines.length - MAX_LINES).length;
    },
    lines: () => lines,
    dropped: () => dropped,
    clear: () => void ([lines, dropped] = [[], 0]),
  };
}

export function shortenLine(words: string, most: number): string {
  const line = toOneLine(words);
  return line.length <= most ? line : `${takeStart(line, most)}…`;
}
