import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { UsageError } from '../base/errors.ts';
import { dropRewound, isMessageEntry, type Entry } from '../contracts/entry.ts';
import { joinTextBlocks } from '../contracts/message.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import { findSession, SESSION_REF } from './find-session.ts';

/** What a screen does by itself: the command says what, the face does it. */
const FACTS = { category: 'display', where: ['terminal'], whileBusy: 'run', needsScreen: true } as const;
const SESSION = { ...SESSION_REF, session: 'there is no session yet; send a message first.' } as const;

export const clear = defineCommand({
  ...FACTS,
  category: 'conversation',
  whileBusy: 'refuse',
  name: 'clear',
  summary: 'Start a new session on an empty screen; this one stays stored',
  arguments: { session: { kind: 'text', description: SESSION_REF.description, session: '' } },
  examples: ['/clear'],
  needs: ['store', 'openSession'],
  run: async ({ session: ref }, { store, openSession }, { followUp, signal }) => {
    const ended = ref === undefined ? undefined : await findSession(ref, store);
    if (ended !== undefined) await (await openSession(ended)).end('reset', signal);
    followUp?.({ type: 'new', clear: true });
    return {};
  },
  describe: () => '',
});

export const redraw = defineCommand({
  ...FACTS,
  name: 'redraw',
  summary: 'Draw the screen again',
  examples: ['/redraw'],
  run: async (_values, _services, { followUp }) => {
    followUp?.({ type: 'redraw' });
    return {};
  },
  describe: () => '',
});

export const copy = defineCommand({
  ...FACTS,
  category: 'conversation',
  name: 'copy',
  summary: 'Copy an answer to the clipboard',
  arguments: {
    session: SESSION,
    answer: { kind: 'whole_number', default: 1, placeholder: 'n', description: '1 is the latest answer, 2 the one before it' },
  },
  examples: ['/copy', '/copy 2'],
  needs: ['store'],
  run: async ({ session: ref, answer }, { store }, { followUp }) => {
    const { id } = await findSession(ref, store);
    const answers = listAnswers(await store.entries(id));
    const text = answers.at(-Math.max(1, answer));
    if (text === undefined)
      throw new UsageError(
        answers.length === 0 ? 'there is no answer to copy yet.' : `there is no answer ${answer}: this session has ${answers.length}.`,
      );
    followUp?.({ type: 'copy', text });
    return { characters: text.length };
  },
  // The face says whether it could.
  describe: () => '',
});

/** What the model said to the person, oldest first. */
const listAnswers = (entries: readonly Entry[]): string[] =>
  dropRewound(entries)
    .filter(isMessageEntry)
    .flatMap(({ message }) => (message.role === 'assistant' ? [joinTextBlocks(message).trim()] : []))
    .filter((text) => text !== '');

export const paste = defineCommand({
  ...FACTS,
  category: 'conversation',
  name: 'paste',
  summary: 'Attach the image on the clipboard to the next message',
  examples: ['/paste'],
  run: async (_values, _services, { followUp }) => {
    followUp?.({ type: 'attach' });
    return {};
  },
  describe: () => '',
});

export const image = defineCommand({
  ...FACTS,
  category: 'conversation',
  name: 'image',
  summary: 'Attach an image file to the next message',
  arguments: { file: { kind: 'text', required: true, placeholder: 'path', description: 'the image file' } },
  examples: ['/image shot.png', '/image "~/my pictures/shot.png"'],
  run: async ({ file }, _services, { followUp, cwd }) => {
    const path = resolve(cwd, file.replace(/^~(?=\/)/, homedir()));
    followUp?.({ type: 'attach', path });
    return { path };
  },
  describe: () => '',
});

export const compose = defineCommand({
  ...FACTS,
  category: 'conversation',
  name: 'compose',
  slash: ['compose', 'prompt'],
  summary: 'Write the next message in your editor ($VISUAL or $EDITOR)',
  arguments: { words: { kind: 'text', prose: true, description: 'what it begins with' } },
  examples: ['/compose', '/compose Review this change:'],
  run: async ({ words = '' }, _services, { followUp }) => {
    followUp?.({ type: 'compose', text: words });
    return {};
  },
  describe: () => '',
});
