import { messageOf } from '../../../base/errors.ts';
import type { Slot } from '../../../contracts/prompt.ts';
import { FILE_CAP, type SourceText } from './source.ts';

// Plain apostrophes: one character beyond Latin-1 makes V8 keep every request body at two bytes a character, twice the memory and slower to send.
export const DEFAULT_IDENTITY = [
  "You are Hermes, an agent that works on its owner's machine through tools.",
  'Do the work rather than describe it: look things up with tools instead of guessing, and check that what you did took effect before you say it is done.',
  'Say plainly what you found, what you changed and what is still open. If something cannot be done, say why and what would help. Admit what you are unsure of.',
  'Look no further than the task needs, and write no more than the reader needs.',
].join('\n');

/** What a new SOUL.md holds: a fresh home behaves as one without the file. */
export const DEFAULT_SOUL = `${DEFAULT_IDENTITY}\n`;

/** Who the agent is: the owner's SOUL.md, bare, or our own words where it is absent, empty or not to be heard. */
export const identitySlot = ({ soul }: { readonly soul: () => Promise<SourceText> }): Slot => ({
  name: 'identity',
  order: 10,
  lifetime: 'session',
  cap: FILE_CAP,
  render: async ({ contextFiles }) => {
    if (!contextFiles) return DEFAULT_IDENTITY;
    const { text = '', notices } = await soul().catch(unread);
    return { text: text.trim() || DEFAULT_IDENTITY, notices };
  },
});

/** Caught here: a section that fails is left out, and an agent without an identity is worse than one with ours. */
const unread = (error: unknown): SourceText => ({
  notices: [`SOUL.md could not be read (${messageOf(error)}); the default identity is used. Mend the file and start a new session.`],
});
