import { UsageError } from '../../base/errors.ts';
import { text, type Text } from '../../contracts/message.ts';
import type { Env } from '../../base/env.ts';
import type { Home } from '../../base/home.ts';
import type { AdmitText } from '../../contracts/scan.ts';
import type { SkillCatalog } from '../../contracts/skills.ts';

interface MessageParts {
  readonly home: Home;
  readonly env: Env;
  readonly skills: SkillCatalog;
  readonly safety: { admit(): Promise<AdmitText> };
}

/** The words of a message; one that begins with `/name` of a skill brings the skill along. */
export async function messageContent(
  words: string,
  sessionId: string,
  { home, env, safety, skills }: MessageParts,
): Promise<readonly Text[]> {
  if (!/^\s*\/[a-z0-9_-]+(?:\s|$)/.test(words)) return [text(words, 'owner')];
  const { expandInvocation, invocableSkills } = await import('./invoke.ts');
  const setup = { home: home.root, isSet: (name: string) => (env[name] ?? '') !== '' };
  const reading = { admit: await safety.admit(), setup };
  const invoked = await expandInvocation(words, invocableSkills(skills, reading, sessionId));
  if (invoked === undefined) return [text(words, 'owner')];
  if (!invoked.ok) throw new UsageError(invoked.words);
  return invoked.content;
}
