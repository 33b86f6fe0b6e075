import { describeBriefly } from '../../base/brief.ts';
import { isObject } from '../../base/json.ts';
import type { ToolCallDecision } from '../../contracts/hooks.ts';

type HookAction = ToolCallDecision['action'];
type ReadDecision = (answer: Readonly<Record<string, unknown>>) => ToolCallDecision | undefined;

/** What each answer must look like to be one; a block stands whatever else is said. */
const READERS: Readonly<Record<HookAction, ReadDecision>> = {
  block: ({ message }) => ({ action: 'block', message: typeof message === 'string' ? message : 'it gave no reason' }),
  approve: ({ message, ruleKey }) =>
    isWord(message) && isWord(ruleKey)
      ? { action: 'approve', ...(message !== undefined && { message }), ...(ruleKey !== undefined && { ruleKey }) }
      : undefined,
  // A copy: what the hook keeps in hand must not change the call later.
  modify: ({ args }) => (isObject(args) ? { action: 'modify', args: structuredClone(args) } : undefined),
};
const isWord = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string';

/** What a hook decided. Hooks are other people's code: an answer that is none blocks. */
export function readDecision(answer: unknown): ToolCallDecision | undefined {
  if (answer === undefined) return undefined;
  const read = isObject(answer) && isAction(answer['action']) ? READERS[answer['action']](answer) : undefined;
  return (
    read ?? {
      action: 'block',
      message: `its answer is not a decision (${describeAnswer(answer)}), and without a decision the call does not run`,
    }
  );
}

const isAction = (value: unknown): value is HookAction => typeof value === 'string' && Object.hasOwn(READERS, value);

function describeAnswer(answer: unknown): string {
  try {
    return describeBriefly(answer);
  } catch {
    return typeof answer;
  }
}
