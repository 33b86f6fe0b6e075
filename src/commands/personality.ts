import { UsageError } from '../base/errors.ts';
import { takeStart } from '../base/text.ts';
import { describeUnknownName } from '../base/unknown-name.ts';
import { toVisibleLine } from '../base/visible.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { PersonalityRow } from '../contracts/services/personality.ts';
import { findSession, SESSION_REF } from './find-session.ts';

/** The word that means none of them. */
const NONE = 'none';

/** Without a name it is the list; `chosen` is absent while the session has none. */
export interface PersonalityResult {
  readonly chosen?: string;
  readonly changed: boolean;
  readonly rows: readonly PersonalityRow[];
}

export const personality = defineCommand({
  category: 'prompt',
  where: ['terminal', 'chat'],
  whileBusy: 'run',
  name: 'personality',
  summary: 'Choose how the agent speaks in this session, or list the personalities',
  arguments: {
    session: { ...SESSION_REF, session: 'there is no session yet; send a message first.', begins: true },
    name: { kind: 'text', description: `a personality, or ${NONE}` },
  },
  ownerOnly: true,
  examples: ['/personality', '/personality concise', '/personality none'],
  needs: ['store', 'personalities'],
  run: async ({ session: ref, name }, { store, personalities }): Promise<PersonalityResult> => {
    const { id } = await findSession(ref, store);
    const rows = personalities.list();
    if (name === undefined) {
      const current = await personalities.current(id);
      return { ...(current !== undefined && { chosen: current }), changed: false, rows };
    }
    const wanted = name.toLowerCase();
    if (wanted !== NONE && !rows.some((row) => row.name === wanted)) {
      const known = [...rows.map((row) => row.name), NONE];
      throw new UsageError(describeUnknownName('personality', wanted, known, 'To list them: /personality'));
    }
    await personalities.choose(id, wanted === NONE ? undefined : wanted);
    return { ...(wanted !== NONE && { chosen: wanted }), changed: true, rows };
  },
  describe: ({ chosen, changed, rows }) => {
    if (changed) return chosen === undefined ? 'From the next message on there is no personality.' : `From the next message on: ${chosen}.`;
    const lines = rows.map(({ name, text }) => `${name === chosen ? '*' : ' '} ${name}: ${toVisibleLine(takeStart(text, 200))}`);
    return [`Personality: ${chosen ?? NONE}`, ...lines].join('\n');
  },
});
