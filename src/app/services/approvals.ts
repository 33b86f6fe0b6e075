import { createTextBlock } from '../../contracts/message.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import { resolveHome } from '../../base/home.ts';
import { lazy } from '../../base/lazy.ts';
import type { ApprovalLine, ApprovalService } from '../../contracts/services/owner.ts';
import { isAsking } from '../../contracts/turn.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import type { StoredQuestion } from '../../contracts/question-store.ts';
import { openHomeQuestions } from '../../parts/safety/approval/open.ts';
import { loadConfig } from '../config/config.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';

export async function createApprovalService(
  { processEnv, notice, registered }: ServiceOptions,
  store: () => Promise<SessionStore>,
): Promise<ApprovalService> {
  const home = resolveHome(processEnv);
  const { settings } = await loadConfig(home.config, mergeEnvironment(home.env, processEnv), notice, registered);
  const questions = lazy(async () => openHomeQuestions((await store()).questions, home.root, settings));
  return {
    list: async () => (await (await questions()).list()).map(lineOf),
    decide: async (id, state) => {
      const decided = await (await questions()).decide(id, state);
      return decided === undefined ? undefined : lineOf(decided);
    },
    leave: async ({ sessionId, text: words, questionId }) => {
      const sessions = await store();
      const [session] = await sessions.find(sessionId);
      if (session === undefined) return false;
      if (isAsking(await sessions.turn(session.id), questionId)) return true;
      // A call that no longer asks may have taken it meanwhile.
      if ((await (await questions()).list()).some(({ id, state }) => id === questionId && state === 'used')) return true;
      await sessions.post({
        sessionId: session.id,
        content: [createTextBlock(words, 'owner')],
        mode: 'queue',
        key: `approval:${questionId}`,
      });
      return true;
    },
  };
}

const lineOf = ({ id, at, state, action }: StoredQuestion): ApprovalLine => ({
  id,
  at,
  state,
  tool: action.tool,
  summary: action.summary,
  reason: action.reason,
  ...(action.cwd !== undefined && { cwd: action.cwd }),
  ...(action.read !== undefined && { files: action.read.map(({ path }) => path) }),
  ...(action.sessionId !== undefined && { sessionId: action.sessionId }),
});
