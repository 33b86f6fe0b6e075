import { basename } from 'node:path';
import type { Json } from '../../../src/contracts/message.ts';
import type { Question } from '../verify-questions.ts';
import type { Tree } from './agent-run-tree.ts';

export interface Step {
  readonly text?: string;
  readonly calls: readonly { readonly name: string; readonly input: Json }[];
}
export type Asked = Omit<Question, 'id' | 'line'>;
export interface Turn {
  readonly user: string;
  readonly steps: readonly Step[];
  /** Absent: the turn is still going on when the transcript ends. */
  readonly answer?: string;
  readonly asked?: readonly Asked[];
}

export const run = (command: string) => ({ name: 'terminal', input: { command } });
export const read = (path: string, more: Readonly<Record<string, number>> = {}) => ({ name: 'read_file', input: { path, ...more } });
export const find = (pattern: string, more: Readonly<Record<string, Json>> = {}) => ({ name: 'search_files', input: { pattern, ...more } });
export const write = (path: string, content: string) => ({ name: 'write_file', input: { path, content } });
export const swap = (path: string, old_string: string, new_string: string) => ({ name: 'patch', input: { path, old_string, new_string } });
export const todo = (...rows: readonly (readonly [string, string])[]) => ({
  name: 'todo',
  input: { todos: rows.map(([status, content], index) => ({ id: String(index + 1), content, status })) },
});
export const step = (text: string | undefined, ...calls: Step['calls']): Step => ({ ...(text !== undefined && { text }), calls });
export const TEST = 'node --test --test-concurrency=1';

/** What the review finds in a file, counted in the file itself. */
interface Finding {
  readonly path: string;
  readonly lines: number;
  readonly exported: readonly string[];
  readonly users: readonly string[];
  readonly test: string | undefined;
}
function examine(tree: Tree, path: string): Finding {
  const source = tree[path] ?? '';
  const name = basename(path, '.ts');
  const files = Object.entries(tree).filter(([other]) => other !== path);
  const tests = files.filter(
    ([other, words]) => other.endsWith('.test.ts') && (other.includes(`/${name}.test`) || words.includes(`/${name}.ts'`)),
  );
  return {
    path,
    lines: source.split('\n').length - 1,
    exported: [...source.matchAll(/^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm)].map((match) => match[1] ?? ''),
    users: files.filter(([other, words]) => other.startsWith('src/') && words.includes(`/${name}.ts'`)).map(([other]) => other),
    test: tests[0]?.[0],
  };
}

const OPENINGS = [
  'Next file.',
  'Reading it first.',
  'On with the list.',
  'What does this one promise?',
  'This one looks small.',
  'And its neighbour.',
  undefined,
  'Here the errors matter most.',
  undefined,
  'One more.',
];

function reviewSteps(finding: Finding, index: number): Step[] {
  const { path, test } = finding;
  const name = basename(path, '.ts');
  return [
    step(OPENINGS[index % OPENINGS.length], read(path)),
    step(undefined, find(`/${name}\\.ts'`, { path: 'src', context: 2 + (index % 4) })),
    step(
      index % 4 === 1 ? 'Its exports and who proves them.' : undefined,
      test === undefined
        ? run(`grep -nE "^export|throw new" ${path}; wc -lc ${path}`)
        : index % 3 === 0
          ? run(`${TEST} ${test}`)
          : read(test, { limit: 170 + index }),
    ),
  ];
}

const row = ({ path, lines, exported, users, test }: Finding): string =>
  `| ${path} | ${lines} | ${exported.length} | ${users.length} | ${test === undefined ? 'none of its own' : basename(test)} |`;

const sentence = ({ path, lines, exported, users, test }: Finding): string =>
  `- ${path}: ${lines} lines, exports ${exported.slice(0, 4).join(', ') || 'nothing'}${exported.length > 4 ? ' and more' : ''}; ${users.length === 0 ? 'nobody in this part imports it' : `used by ${users.slice(0, 3).join(', ')}${users.length > 3 ? ` and ${users.length - 3} others` : ''}`}; ${test === undefined ? 'no test of its own' : `proved by ${basename(test)}`}.`;

/** Some turns of reading: three files each, a row of the table for each, and the findings in words. */
export function reviewTurns(
  tree: Tree,
  paths: readonly string[],
  said: readonly (readonly [string, readonly Asked[]])[],
  from: number,
): Turn[] {
  return said.map(([user, asked], turn) => {
    const findings = paths.slice((from + turn) * 3, (from + turn) * 3 + 3).map((path) => examine(tree, path));
    const rows = findings.map(row).join('\n');
    return {
      user,
      steps: [
        ...findings.flatMap((finding, index) => reviewSteps(finding, (from + turn) * 3 + index)),
        step(undefined, run(`cat >> docs/review.md <<'END'\n${rows}\nEND\ntail -n 4 docs/review.md`)),
      ],
      answer: `${findings.map(sentence).join('\n')}\n\n${findings.some(({ test }) => test === undefined) ? 'Rows without a test are marked in docs/review.md.' : 'All three have a test.'}`,
      asked,
    };
  });
}
