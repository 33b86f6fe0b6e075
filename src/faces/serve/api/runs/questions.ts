import { randomHex } from '../../../../base/ids.ts';
import type { NewRunEvent } from '../../../../contracts/run-store.ts';
import type { UserQuestion } from '../../../../contracts/ports.ts';
import type { ApprovalService } from '../../../../contracts/services/owner.ts';
import { CONSENT_CHOICES } from './recorder.ts';
import { createRunEvent } from './run-events.ts';

export type ConsentChoice = (typeof CONSENT_CHOICES)[number];

/** Questions for consent, which programs are told as events and answer by their ids. */
export interface RunQuestions {
  /** Waits for the answer, in words. One that its session keeps was told already; another dies with its call. */
  ask(sessionId: string, question: UserQuestion, signal: AbortSignal): Promise<string>;
  /** Gives whether the question was open. What was answered is kept before this returns. */
  answer(approvalId: string, choice: ConsentChoice): Promise<boolean>;
}
export interface RunQuestionsDeps {
  readonly approvals: Pick<ApprovalService, 'decide'>;
  readonly tell: (sessionId: string, event: NewRunEvent) => void;
  /** A turn that waits for it goes on with an answer that came before it asked again. */
  readonly wake: (sessionId: string) => void;
}

export function createRunQuestions({ approvals, tell, wake }: RunQuestionsDeps): RunQuestions {
  const pending = new Map<string, (choice: ConsentChoice) => void>();
  return {
    ask: async (sessionId, question, signal) => {
      if (question.act === undefined) throw new Error('Nobody can be asked here.');
      const id = question.id ?? `ask_${randomHex(8)}`;
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const leave = () => reject(new Error('Nobody answered in time.'));
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
      pending.set(id, (choice) => resolve(narrow(choice, question)));
      const isBeside = question.id === undefined;
      const settle = (allowed: boolean): void => {
        if (isBeside) tell(sessionId, createRunEvent('approval.responded', { approval_id: id, allowed }));
      };
      if (isBeside) tell(sessionId, createRequest(id, question));
      try {
        const words = await promise;
        settle(words !== 'deny');
        return words;
      } catch (error) {
        // Whoever follows the run need not wait for it any more.
        settle(false);
        throw error;
      } finally {
        signal.removeEventListener('abort', leave);
        pending.delete(id);
      }
    },
    answer: async (id, choice) => {
      const answer = pending.get(id);
      // Kept first: a call that is asked about again after a restart finds it. What goes beyond this once is kept by whoever asked.
      const decided = id.startsWith('ask_') ? undefined : await approvals.decide(id, choice === 'deny' ? 'denied' : 'allowed');
      answer?.(choice);
      if (decided?.sessionId !== undefined && answer === undefined) wake(decided.sessionId);
      return answer !== undefined || decided !== undefined;
    },
  };
}

/** A program that allows more than is offered allows as much as is offered: every choice holds for this once as well. */
function narrow(choice: ConsentChoice, { choices, typedAnswer }: UserQuestion): ConsentChoice {
  const wanted = choice === 'always' && typedAnswer === undefined ? 'session' : choice;
  return wanted === 'session' && choices.length <= 2 ? 'once' : wanted;
}

const createRequest = (id: string, { question, act = '', notes = [] }: UserQuestion): NewRunEvent =>
  createRunEvent('approval.request', {
    approval_id: id,
    tool: '',
    summary: act,
    reason: [question, ...notes].join(' '),
    choices: CONSENT_CHOICES,
  });
