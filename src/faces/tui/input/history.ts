import { appendFile, open } from 'node:fs/promises';

/** What was sent before, for Up, for the search and for suggestions. */
export interface InputHistory {
  /** The newest last. */
  entries(): readonly string[];
  /** Gives whether it may be kept: what has a secret in it is not. */
  add(text: string): boolean;
}
export interface HistoryFile {
  /** The text of the file, or its end where it is long. Empty when there is none. */
  read(): Promise<string>;
  /** One write behind everything else, so that two programs do not mix their entries. */
  append(text: string): Promise<void>;
}
export interface HistoryDeps {
  readonly file: HistoryFile;
  /** Whether a text must not be kept: it has a secret in it. */
  readonly hasSecret: (text: string) => boolean;
  readonly now: () => number;
}

const MAX_ENTRIES = 1_000;
/** A longer text is not written: somebody pasted a file. */
const MAX_STORED_CHARACTERS = 20_000;

/**
 * History in the format that the earlier program and other readline-like tools use: a comment line with the time, then the
 * lines of the entry behind a plus each. What a person typed with a secret in it is in no history at all.
 */
export async function openHistory({ file, hasSecret, now }: HistoryDeps): Promise<InputHistory> {
  // What was sent before it was known for a secret is left where it is, and not shown.
  const entries = parseHistory(await file.read().catch(() => ''))
    .slice(-MAX_ENTRIES)
    .filter((text) => !hasSecret(text));
  return {
    entries: () => entries,
    add: (text) => {
      if (text.trim() === '' || hasSecret(text)) return false;
      if (text === entries.at(-1)) return true;
      entries.push(text);
      if (entries.length > MAX_ENTRIES) entries.shift();
      // A history that cannot be written is no reason to bother somebody who sends a message.
      if (text.length <= MAX_STORED_CHARACTERS) void file.append(formatEntry(text, now())).catch(() => {});
      return true;
    },
  };
}

const formatEntry = (text: string, at: number): string =>
  `\n# ${new Date(at).toISOString().replace('T', ' ').replace('Z', '')}\n${text
    .split('\n')
    .map((line) => `+${line}\n`)
    .join('')}`;

function parseHistory(text: string): string[] {
  const entries: string[] = [];
  let lines: string[] = [];
  for (const line of [...text.split('\n'), '']) {
    if (line.startsWith('+')) lines.push(line.slice(1));
    else if (lines.length > 0) {
      entries.push(lines.join('\n'));
      lines = [];
    }
  }
  return entries;
}

/** Of a long file only the end is read: older entries are out of reach, and stay. */
const MAX_READ_BYTES = 512 * 1024;

/** The file in the home, readable by its owner alone. */
export const openHistoryFile = (path: string): HistoryFile => ({
  read: async () => {
    await using file = await open(path, 'r');
    const { size } = await file.stat();
    const length = Math.min(size, MAX_READ_BYTES);
    const { buffer } = await file.read({ buffer: Buffer.alloc(length), position: size - length });
    const text = buffer.toString('utf8');
    return length < size ? text.slice(text.indexOf('\n#') + 1) : text;
  },
  append: (text) => appendFile(path, text, { mode: 0o600 }),
});
