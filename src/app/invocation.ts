import { UsageError } from '../base/errors.ts';
import { text, type Text } from '../contracts/message.ts';
import { openSafety } from './safety.ts';
import { openSkills } from './skills.ts';
import type { Workshop } from './workshop.ts';

/** The words of a message; one that begins with `/name` of a skill brings the skill along. */
export async function messageContent(
  words: string,
  sessionId: string,
  { home, config, env }: Pick<Workshop, 'home' | 'config' | 'env'>,
): Promise<readonly Text[]> {
  if (!/^\s*\/[a-z0-9_-]+(?:\s|$)/.test(words)) return [text(words, 'owner')];
  const { expandInvocation, invocableSkills } = await import('../parts/skills/invoke.ts');
  const setup = { home: home.root, isSet: (name: string) => (env[name] ?? '') !== '' };
  const reading = { admit: await openSafety(home).admit(), setup };
  const invoked = await expandInvocation(words, invocableSkills(openSkills(home, config, env), reading, sessionId));
  if (invoked === undefined) return [text(words, 'owner')];
  if (!invoked.ok) throw new UsageError(invoked.words);
  return invoked.content;
}
