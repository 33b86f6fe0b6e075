import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { toPrintable } from '../base/printable.ts';
import { takeStart } from '../base/text.ts';
import { toVisibleLine } from '../base/visible.ts';
import { dropRewound, isMessageEntry, type Entry } from '../contracts/entry.ts';
import { joinOwnWords, joinTextBlocks } from '../contracts/message.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import { exportSession, findExportFormat } from './export-session.ts';
import { findSession, SESSION_REF } from './find-session.ts';
import { writeNewFile } from './write-new-file.ts';

const SESSION = { ...SESSION_REF, session: 'there is no session yet; send a message first.' } as const;

/** Characters of one message that the history shows. */
const MAX_SHOWN = 600;

export interface SpokenText {
  readonly who: 'you' | 'hermes';
  readonly text: string;
  readonly at: number;
}

export const history = defineCommand({
  category: 'conversation',
  where: ['terminal', 'chat'],
  whileBusy: 'run',
  name: 'history',
  summary: 'Show the last messages of this session',
  arguments: {
    session: SESSION,
    count: { kind: 'whole_number', default: 10, placeholder: 'n', description: 'how many messages; 0 means all' },
  },
  examples: ['/history', '/history 30'],
  needs: ['store'],
  run: async ({ session: ref, count }, { store }): Promise<readonly SpokenText[]> => {
    const spoken = listSpoken(await store.entries((await findSession(ref, store)).id));
    return count === 0 ? spoken : spoken.slice(-count);
  },
  describe: (spoken) =>
    spoken.length === 0
      ? 'Nothing was said yet.'
      : spoken.map(({ who, text }) => `${who === 'you' ? 'You' : 'Hermes'}: ${toPrintable(shorten(text))}`).join('\n\n'),
});

const shorten = (text: string): string => (text.length <= MAX_SHOWN ? text : `${takeStart(text, MAX_SHOWN)} …`);

/** What people and the model said to each other, without tools. */
const listSpoken = (entries: readonly Entry[]): SpokenText[] =>
  dropRewound(entries)
    .filter(isMessageEntry)
    .flatMap(({ message, at }) => {
      const text = message.role === 'tool' ? '' : message.role === 'user' ? joinOwnWords(message) : joinTextBlocks(message).trim();
      return text === '' ? [] : [{ who: message.role === 'user' ? 'you' : 'hermes', text, at } as const];
    });

export const saveSession = defineCommand({
  category: 'sessions',
  where: ['terminal'],
  whileBusy: 'run',
  name: 'save',
  slash: ['save', 'export'],
  summary: 'Save this session to a file: Markdown, or by its name .html or .jsonl',
  arguments: {
    session: SESSION,
    file: { kind: 'text', placeholder: 'path', description: 'the file; SESSION.md in this folder when left out' },
  },
  ownerOnly: true,
  examples: ['/save', '/save talk.md', '/export ~/talk.html'],
  needs: ['store'],
  run: async ({ session: ref, file }, { store }, { cwd }) => {
    const session = await findSession(ref, store);
    const path = resolve(cwd, (file ?? `${session.id}.md`).replace(/^~(?=\/)/, homedir()));
    const text = await exportSession(findExportFormat(path) ?? 'md', session, store);
    writeNewFile(path, text, `session ${session.id}`);
    return { path };
  },
  describe: ({ path }) => `Saved to ${toVisibleLine(path)}.`,
});
