import { UsageError } from '../../base/errors.ts';
import { text, type Text } from '../../contracts/message.ts';
import type { HomeParts } from '../tools/home-parts.ts';

/** The words of a message; one that begins with `/name` of a skill brings the skill along. */
export async function messageContent(
  words: string,
  sessionId: string,
  { home, env, safety, skills }: Pick<HomeParts, 'home' | 'env' | 'safety' | 'skills'>,
): Promise<readonly Text[]> {
  if (!/^\s*\/[a-z0-9_-]+(?:\s|$)/.test(words)) return [text(words, 'owner')];
  const { expandInvocation, invocableSkills } = await import('../../parts/skills/invoke.ts');
  const setup = { home: home.root, isSet: (name: string) => (env[name] ?? '') !== '' };
  const reading = { admit: await safety.admit(), setup };
  const invoked = await expandInvocation(words, invocableSkills(skills, reading, sessionId));
  if (invoked === undefined) return [text(words, 'owner')];
  if (!invoked.ok) throw new UsageError(invoked.words);
  return invoked.content;
}
