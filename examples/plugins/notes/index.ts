import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { definePlugin, type MemoryProvider, type RecalledFact } from 'hermes-ts/plugin';

interface Note {
  readonly key: string;
  readonly userId: string;
  readonly text: string;
  readonly at: number;
  readonly foreign?: string;
}

/** A memory provider in one file: one line for each turn, found again by the words it shares with the question. */
export function createNotes(file: string): MemoryProvider {
  const read = async (): Promise<readonly Note[]> => {
    const text = await readFile(file, 'utf8').catch(() => '');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written below, into a folder that nobody else writes to
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Note]));
  };
  return {
    name: 'notes',
    available: () => true,
    // Told at least once: the key tells a turn that is told again.
    syncTurn: async ({ key, userId = '', at, userMessage, foreign }) => {
      if ((await read()).some((note) => note.key === key)) return;
      const note: Note = { key, userId, text: userMessage, at, ...(foreign.length > 0 && { foreign: foreign.join(', ') }) };
      await appendFile(file, `${JSON.stringify(note)}\n`, { mode: 0o600 });
    },
    // What one person said is not recalled for another.
    recall: async (query, { userId = '', maxChars }) => {
      const words = wordsOf(query);
      const found: RecalledFact[] = [];
      let left = maxChars;
      for (const note of (await read()).toReversed()) {
        if (note.userId !== userId || !wordsOf(note.text).some((word) => words.includes(word)) || note.text.length > left) continue;
        left -= note.text.length;
        found.push({ text: note.text, at: note.at, ...(note.foreign !== undefined && { foreign: note.foreign }) });
      }
      return found;
    },
    status: async () => `${(await read()).length} notes`,
  };
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];

export default definePlugin({
  name: 'notes',
  setup: (host) => void host.memoryProviders.add(createNotes(join(host.dataFolder, 'notes.jsonl'))),
});
