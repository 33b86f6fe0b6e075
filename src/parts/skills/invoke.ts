import { createTextBlock, type TextBlock } from '../../contracts/message.ts';
import type { SkillCatalog } from '../../contracts/skills.ts';
import { isOwned, openSkill, type SkillReading } from './view/open.ts';
import { renderSkillView } from './view/view-text.ts';

/** A skill as somebody calls it by its name. */
export type Invocable = InvokedSkill | { readonly name: string; /** Why it may not be used. */ readonly refused: string };
interface InvokedSkill {
  readonly name: string;
  /** Its body and where it lies. */
  readonly words: string;
  readonly owned: boolean;
}
export type FindInvocable = (name: string) => Promise<Invocable | undefined>;

export type InvocationResult =
  | { readonly ok: true; readonly skills: readonly string[]; readonly content: readonly TextBlock[] }
  | { readonly ok: false; readonly words: string };

const MAX_STACKED = 5;
/** A whole word after a slash: what goes on with another slash or a dot is a path. */
const CALL = /^\s*\/([a-z0-9_-]{1,64})(?=\s|$)/;

/**
 * A message that begins with the names of skills: the user's words as they are, then each skill. `undefined` when it
 * does not begin with one; the text is then none of our business.
 */
export async function expandInvocation(message: string, find: FindInvocable): Promise<InvocationResult | undefined> {
  const called = new Map<string, Invocable>();
  let rest = message;
  for (let count = 0; count < MAX_STACKED; count++) {
    const match = CALL.exec(rest);
    const skill = match === null ? undefined : await byName(match[1] ?? '', find);
    if (match === null || skill === undefined) break;
    called.set(skill.name, skill);
    rest = rest.slice(match[0].length);
  }
  if (called.size === 0) return undefined;
  const content = [createTextBlock(message, 'owner')];
  for (const skill of called.values()) {
    if ('refused' in skill) return { ok: false, words: `The skill ${skill.name} cannot be used: ${skill.refused}` };
    content.push(block(skill));
  }
  return { ok: true, skills: [...called.keys()], content };
}

/** Some platforms have no hyphen in the names of commands. */
const byName = async (name: string, find: FindInvocable): Promise<Invocable | undefined> =>
  (await find(name)) ?? (name.includes('_') ? find(name.replaceAll('_', '-')) : undefined);

const block = ({ name, words, owned }: InvokedSkill): TextBlock => ({
  type: 'text',
  trust: owned ? 'owner' : 'foreign',
  source: `skill:${name}`,
  text: `[The user called the skill ${name}. Follow it for this message.]\n${words}`,
});

/** Finds what can be called in a session. The owner may call a skill that is hidden from the list, never one that is blocked. */
export const createInvocableFinder =
  (catalog: SkillCatalog, reading: SkillReading, sessionId: string): FindInvocable =>
  async (name) => {
    const skill = await catalog.find(name);
    if (skill === undefined) return undefined;
    const read = await openSkill(skill, reading);
    if (!read.ok) return { name, refused: read.words };
    const { admission } = read.opened;
    return admission.allow
      ? { name, words: renderSkillView(read.opened, { sessionId }), owned: isOwned(skill) }
      : { name, refused: admission.notice };
  };
