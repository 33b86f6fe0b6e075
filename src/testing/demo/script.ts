import { joinTextBlocks } from '../../contracts/message.ts';
import type { ModelRequest } from '../../contracts/provider.ts';
import type { ScriptedAnswer } from '../scripted-provider.ts';

const RUN_TESTS = { name: 'terminal', input: { command: 'node --test --test-reporter=spec' } } as const;

/** What the scripted model says, step by step. The tools, their results and the tests are real. */
const STEPS: readonly ((request: ModelRequest) => ScriptedAnswer)[] = [
  () => ({
    text: 'Let me see what is here and what the tests say.\n',
    calls: [
      { id: 'look', name: 'search_files', input: { target: 'files', pattern: '*' } },
      { id: 'before', ...RUN_TESTS },
    ],
  }),
  (request) => ({
    text: `${failing(request)} I will read the code and its tests.\n`,
    calls: [
      { id: 'code', name: 'read_file', input: { path: 'cart.mjs' } },
      { id: 'tests', name: 'read_file', input: { path: 'cart.test.mjs' } },
    ],
  }),
  () => ({
    text: 'The loop charges for every piece. The third one must be free.\n',
    calls: [
      {
        id: 'third',
        name: 'patch',
        input: {
          mode: 'replace',
          path: 'cart.mjs',
          old_string: 'price * quantity',
          new_string: 'price * (quantity - Math.floor(quantity / 3))',
        },
      },
    ],
  }),
  () => ({ text: 'Did that help?\n', calls: [{ id: 'between', ...RUN_TESTS }] }),
  (request) => ({
    text: `${failing(request)} Shipping must be free at exactly 50.00 too: the comparison leaves that out.\n`,
    calls: [
      {
        id: 'border',
        name: 'patch',
        input: { mode: 'replace', path: 'cart.mjs', old_string: 'cents > 5000', new_string: 'cents >= 5000' },
      },
    ],
  }),
  () => ({ text: 'Once more.\n', calls: [{ id: 'after', ...RUN_TESTS }] }),
  (request) => ({ text: green(request) ? GREEN : 'The tests still fail; this demo did not go as planned.' }),
];

const GREEN = 'All tests pass. I fixed two defects in cart.mjs: the third piece is free now, and shipping is free from 50.00 on.';
export const isGreen = (answer: string): boolean => answer.endsWith(GREEN);

export interface ReplyPace {
  readonly chunk?: number;
  readonly paceMs?: number;
}

export const createDemoScript =
  (pace: ReplyPace) =>
  (request: ModelRequest, index: number): ScriptedAnswer => ({ ...(STEPS[index]?.(request) ?? { text: 'Done.' }), ...pace });

const lastReport = (request: ModelRequest): string => {
  const found = request.messages.findLast(({ message }) => message.role === 'tool' && message.name === 'terminal');
  return found === undefined ? '' : joinTextBlocks(found.message);
};

/** How many tests fail according to the last report. */
function failing(request: ModelRequest): string {
  const count = Number(/^ℹ fail (\d+)/m.exec(lastReport(request))?.[1] ?? Number.NaN);
  return Number.isNaN(count) ? 'The report is unclear.' : `${count} ${count === 1 ? 'test fails' : 'tests fail'}.`;
}

const green = (request: ModelRequest): boolean => /^ℹ fail 0$/m.test(lastReport(request)) && /^ℹ pass 3$/m.test(lastReport(request));
