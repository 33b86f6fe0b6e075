import type { Ports } from '../contracts/ports.ts';
import type { Action, Approval, Verdict } from '../contracts/tool.ts';

/** Nobody is there to ask: whatever needs consent is denied, and the model is told why. */
export const unattended: Approval = {
  ask: async () => ({
    allow: false,
    by: 'policy',
    reason: 'nobody is there to approve this. Do not look for another way to do the same thing; say what you would have done and why.',
  }),
};

/** The owner has allowed everything in advance; the hard floor is not asked for and stays. */
export const yolo: Approval = { ask: async () => ({ allow: true, by: '--yolo' }) };

const YES = 'Yes, this once';
const NO = 'No';

/** Asks the person in front of this process, one question at a time. Only a plain yes is consent. */
export function attended(clarify: NonNullable<Ports['clarify']>): Approval {
  let before: Promise<unknown> = Promise.resolve();
  return {
    ask: (action, signal) => {
      const answer = before
        .then(shown)
        .then(() => clarify({ question: questionOf(action), choices: [YES, NO] }, signal))
        .then(verdictOf);
      before = answer.catch(() => {});
      return answer;
    },
  };
}

/** What was told before stands on the screen before the question does. */
const shown = (): Promise<void> => new Promise((done) => setImmediate(done));

const questionOf = ({ tool, summary, reason }: Action): string => `Allow ${tool}: ${summary}\n  Asked because ${reason}.`;

const verdictOf = (answer: string): Verdict =>
  answer === YES || /^y(?:es)?$/i.test(answer)
    ? { allow: true, by: 'the owner' }
    : { allow: false, by: 'the owner', reason: answer === NO || answer === '' ? 'the owner said no.' : `the owner said: ${answer}` };

/** Who is asked in this run. */
export const approvalFor = (flags: { readonly yolo?: boolean }, { clarify }: Ports): Approval =>
  flags.yolo === true ? yolo : clarify === undefined ? unattended : attended(clarify);
