import { toErrorMessage } from '../../../base/errors.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { PromptSlot } from '../../../contracts/prompt.ts';
import { FILE_CAP, type SourceText } from './source.ts';

// Plain apostrophes: one character beyond Latin-1 makes V8 keep every request body at two bytes a character, twice the memory and slower to send.
// It says nothing of tools: a session may have none.
export const DEFAULT_IDENTITY = [
  'You are Hermes Agent, created by Nous Research to work for the owner of this machine.',
  'Be useful and direct. Say what you found, did and left open.',
  'If you cannot do it, say why and what would help. Admit doubt.',
  'Be targeted and efficient when you investigate. Keep answers as short as the task allows.',
].join('\n');

/** What a new SOUL.md holds: a fresh home behaves as one without the file. */
export const DEFAULT_SOUL = `${DEFAULT_IDENTITY}\n`;

/** Texts a SOUL.md was made with before this one. Nobody wrote them into it, so they give way to the default of today. */
const FORMER_DEFAULTS: ReadonlySet<string> = new Set([
  '51bb6e47f2cbfe0561e5bb14578dd509ddc5a8aa17ef1874dc069f6fb33ac542',
  'f0adedef38ab1a86c32211f35a12a899c59d24281c7199b26e29257371c58754',
  'efa2e6b01483f5be763cefab7180e40462175bd5ebe4fa1e5aa92c3bee39ed1d',
]);

/** Whether a SOUL.md is as it was made on a first run. */
export const isDefaultSoul = (text: string): boolean => text.trim() === DEFAULT_IDENTITY || FORMER_DEFAULTS.has(sha256(text.trim()));

/** Who the agent is: the owner's SOUL.md, bare, or our own words where it is absent, empty or not to be heard. Children have no other. */
export const identitySlot = ({ soul }: { readonly soul: () => Promise<SourceText> }): PromptSlot => ({
  name: 'identity',
  order: 10,
  lifetime: 'session',
  cap: FILE_CAP,
  render: async ({ contextFiles, role }) => {
    if (!contextFiles || role === 'child') return DEFAULT_IDENTITY;
    const { text = '', notices } = await soul().catch(unread);
    return { text: text.trim() === '' || isDefaultSoul(text) ? DEFAULT_IDENTITY : text.trim(), notices };
  },
});

/** Caught here: a section that fails is left out, and an agent without an identity is worse than one with ours. */
const unread = (error: unknown): SourceText => ({
  notices: [`SOUL.md could not be read (${toErrorMessage(error)}); the default identity is used. Fix the file and start a new session.`],
});
