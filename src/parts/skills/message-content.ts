import { UsageError } from '../../base/errors.ts';
import { createTextBlock, type TextBlock } from '../../contracts/message.ts';
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
export async function expandMessage(
  words: string,
  sessionId: string,
  { home, env, safety, skills }: MessageParts,
): Promise<readonly TextBlock[]> {
  if (!/^\s*\/[a-z0-9_-]+(?:\s|$)/.test(words)) return [createTextBlock(words, 'owner')];
  const { expandInvocation, createInvocableFinder } = await import('./invoke.ts');
  const setup = { home: home.root, isSet: (name: string) => (env[name] ?? '') !== '' };
  const reading = { admit: await safety.admit(), setup };
  const invoked = await expandInvocation(words, createInvocableFinder(skills, reading, sessionId));
  if (invoked === undefined) return [createTextBlock(words, 'owner')];
  if (!invoked.ok) throw new UsageError(invoked.words);
  return invoked.content;
}
