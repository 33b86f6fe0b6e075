import type { Tree } from './agent-run-tree.ts';
import { find, read, reviewTurns, run, step, swap, TEST, todo, write, type Asked, type Turn } from './agent-run-story.ts';

const READ = 'src/parts/tools/builtin/read-file.ts';
const TAIL = 'test/parts/tools/builtin/read-file-tail.test.ts';
const asks = (kind: Asked['kind'], question: string, answer: readonly string[], wrong?: readonly string[]): Asked => ({
  kind,
  question,
  answer,
  ...(wrong !== undefined && { wrong }),
});
const plain = (user: string, ...asked: Asked[]): readonly [string, readonly Asked[]] => [user, asked];

const tests = (option: string, bytes: number): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileTool } from '../../../../src/parts/tools/builtin/read-file.ts';
import { answer, contextIn, deskAt, fileOptions, put, tempFolder } from '../setup.ts';

const numbered = (count: number): string => Array.from({ length: count }, (_, index) => \`line \${index + 1}\\n\`).join('');
const desk = () => {
  const folder = tempFolder();
  const tool = readFileTool({ ...fileOptions(folder), maxChars: () => 100_000 });
  return { folder, read: (input: { path: string; ${option}?: number; limit?: number }) => answer(tool, input, contextIn(deskAt(folder))) };
};

test('the last lines come with their true numbers', async () => {
  const { folder, read } = desk();
  put(folder, { 'a.log': numbered(40) });
  assert.equal(await read({ path: 'a.log', ${option}: 2 }), '39|line 39\\n40|line 40\\n[lines 39-40 of 40, ${bytes} bytes]');
});

test('a file shorter than asked for is given whole', async () => {
  const { folder, read } = desk();
  put(folder, { 'b.log': 'only\\n' });
  assert.equal(await read({ path: 'b.log', ${option}: 9 }), '1|only\\n[lines 1-1 of 1, 5 bytes]');
});
`;

const FIRST_OF = (name: string): string => `/** Where the last lines begin. Counting is one more pass, and memory stays bounded. */
async function ${name}(place: Location, count: number, signal: AbortSignal): Promise<number> {
  const { total } = await readWindow(place, 1, 0, signal);
  return Math.max(1, total - count + 1);
}

`;

const OPENING: readonly Turn[] = [
  {
    user: `Hello. This checkout is the tools part of Hermes with its tests. Two jobs: first a new option of read_file that gives the last lines of a file, then a review of every file of the part, as rows of a table in docs/review.md.

Rules: never change anything in src/contracts, other parts depend on it. No new packages. Tests run with \`${TEST}\` and nothing else. Keep functions below 25 lines. Answer briefly and in English.`,
    steps: [
      step('A look round first.', run('ls; find src test -name "*.ts" | wc -l; cat package.json | head -40')),
      step(undefined, read('AGENTS.md')),
      step(undefined, read('CONTEXT.md')),
      step('Now the tool itself and its reader of lines.', read(READ), read('src/parts/tools/builtin/files/lines.ts')),
    ],
    answer:
      'I have read the rules, the glossary and read_file. The window of lines counts the whole file anyway, so the last lines need one more pass and no new reader.',
    asked: [
      asks('user_constraint', 'Which folder of the sources may not be changed because other parts depend on it?', [
        'never change anything in src/contracts',
      ]),
      asks('user_constraint', 'How long may functions be at most?', ['below 25 lines', '25 lines']),
    ],
  },
  {
    user: 'Good. Does everything pass before you begin?',
    steps: [
      step(undefined, run(`${TEST} test/parts/tools/builtin/*.test.ts 2>&1 | tail -80`)),
      step('And the rest of the part.', run(`${TEST} test/parts/tools/*.test.ts test/base/*.test.ts 2>&1 | tail -60`)),
      step(undefined, todo(['in_progress', 'read_file: last lines'], ['pending', 'larger limit'], ['pending', 'review of all files'])),
    ],
    answer: 'The suite passes as it is, so whatever fails from here on is mine.',
  },
  {
    user: 'Call the option `last`. It wins over offset when both are given. Test first.',
    steps: [
      step('How do the present tests set the scene?', read('test/parts/tools/setup.ts')),
      step(undefined, read('test/parts/tools/builtin/read-file.test.ts', { limit: 60 })),
      step('The tests before the code.', write(TAIL, tests('last', 351))),
      step('They must fail now.', run(`${TEST} ${TAIL}`)),
    ],
    answer:
      'Two tests in read-file-tail.test.ts. The first fails as it should, the option is not known yet; the second holds already, since a short file is given whole anyway.',
    asked: [asks('decision', 'Which parameter does the new option win over when both are given?', ['wins over offset'])],
  },
  {
    user: 'Go on with the code.',
    steps: [
      step(
        'Input type.',
        swap(
          READ,
          '  readonly limit?: number;\n}\nexport interface ReadOptions',
          '  readonly limit?: number;\n  readonly last?: number;\n}\nexport interface ReadOptions',
        ),
      ),
      step(
        'Schema.',
        swap(
          READ,
          "    required: ['path'],\n    additionalProperties: false,",
          "    required: ['path'],\n    additionalProperties: false,\n    // TODO last",
        ),
      ),
      step('That was the wrong place; the property belongs above.', swap(READ, '\n    // TODO last', '')),
      step(
        undefined,
        swap(
          READ,
          'at most ${MAX_LIMIT}` },\n    },',
          "at most ${MAX_LIMIT}` },\n      last: { type: 'integer', minimum: 1, description: 'Only this many lines from the end' },\n    },",
        ),
      ),
      step(
        'Now the reading itself.',
        swap(
          READ,
          '{ path, offset = 1, limit: asked = LIMIT }: ReadInput,',
          '{ path, offset: given = 1, limit: asked = LIMIT, last }: ReadInput,',
        ),
      ),
      step(
        undefined,
        swap(
          READ,
          '  const limit = Math.min(asked, MAX_LIMIT);\n',
          '  const limit = Math.min(last ?? asked, MAX_LIMIT);\n  const offset = last === undefined ? given : await firstOfLast(place, limit, context.signal);\n',
        ),
      ),
      step(
        undefined,
        swap(
          READ,
          '/** The first repeat is answered with a stub',
          `${FIRST_OF('firstOfLast')}/** The first repeat is answered with a stub`,
        ),
      ),
      step('Tests.', run(`${TEST} ${TAIL} test/parts/tools/builtin/read-file.test.ts`)),
      step(
        'The lines are right; I had counted the bytes of the file wrong, it has 311.',
        run(`sed -i 's/351 bytes/311 bytes/' ${TAIL} && ${TEST} ${TAIL}`),
      ),
    ],
    answer:
      'Both new tests pass and the nine old ones as well. `firstOfLast` counts in one pass; the stub for an unchanged file works on the resulting range.',
  },
  {
    user: 'Show me the file once more. I want to see whether it stays below 150 lines.',
    steps: [step(undefined, read(READ)), step(undefined, run(`wc -l ${READ}; awk 'length > 140' ${READ}`))],
    answer: 'It is below 150 lines; the only lines wider than 140 characters are messages that were there before.',
  },
  {
    user: 'On reflection `last` reads badly beside `limit`. Rename the option to `tail`, everywhere, the helper to firstOfTail. Nobody uses it yet, so no alias.',
    steps: [
      step('Where is it?', find('\\blast\\b|firstOfLast', { path: READ })),
      step(
        undefined,
        run(
          `sed -i -E 's/firstOfLast/firstOfTail/g; s/readonly last\\?/readonly tail?/; s/      last: \\{ type/      tail: { type/; s/LIMIT, last \\}/LIMIT, tail }/; s/last \\?\\? asked/tail ?? asked/; s/last === undefined/tail === undefined/' ${READ} && grep -n "tail\\|firstOf" ${READ}`,
        ),
      ),
      step(undefined, write(TAIL, tests('tail', 311))),
      step(undefined, run(`${TEST} ${TAIL} test/parts/tools/builtin/read-file.test.ts`)),
      step('Does anything still say the old name?', find('\\.last\\b|firstOfLast', { path: 'src/parts/tools', output_mode: 'files_only' })),
    ],
    answer: 'The option is called tail now, the function firstOfTail; no alias is left.',
    asked: [
      asks(
        'superseded',
        'What is the option of read_file for the end of a file called now?',
        ['Rename the option to `tail`', 'The option is called tail now', '`tail`'],
        ['`last`'],
      ),
    ],
  },
  {
    user: 'Types? There is a tsconfig.',
    steps: [
      step(undefined, run('node node_modules/typescript/bin/tsc --noEmit -p . 2>&1 | head -30')),
      step('Only what is mine.', run('node node_modules/typescript/bin/tsc --noEmit -p . 2>&1 | grep -c read-file; true')),
    ],
    answer: 'Nothing about read-file in the output of the compiler. What it says otherwise concerns modules that are not in this checkout.',
  },
  {
    user: 'Now raise the most lines a read may ask for from 2000 to 4000; people read logs.',
    steps: [
      step(undefined, find('MAX_LIMIT|2_000|2000', { path: 'src/parts/tools' })),
      step(undefined, swap(READ, 'const MAX_LIMIT = 2_000;', 'const MAX_LIMIT = 4_000;')),
      step(undefined, run(`${TEST} test/parts/tools/builtin/read-file.test.ts`)),
      step('One test holds the old number; that is its job.', find('at most 2000 lines', { path: 'test', context: 4 })),
      step(
        undefined,
        run(
          'sed -i "s/at most 2000 lines at a time/at most 4000 lines at a time/; s/numbered(2500)/numbered(4500)/; s/read on with offset 2001/read on with offset 4001/" test/parts/tools/builtin/read-file.test.ts',
        ),
      ),
      step(undefined, run(`${TEST} test/parts/tools/builtin/read-file.test.ts`)),
    ],
    answer: 'A read may ask for 4000 lines; the test says so too.',
  },
  {
    user: 'Hm, 4000 lines of 100 characters are over the 100000 characters of a result, most reads would be refused. Make it 3000.',
    steps: [
      step(undefined, swap(READ, 'const MAX_LIMIT = 4_000;', 'const MAX_LIMIT = 3_000;')),
      step(
        undefined,
        run(
          'sed -i "s/at most 4000 lines at a time/at most 3000 lines at a time/; s/read on with offset 4001/read on with offset 3001/" test/parts/tools/builtin/read-file.test.ts',
        ),
      ),
      step(undefined, run(`${TEST} test/parts/tools/builtin/read-file.test.ts ${TAIL}`)),
      step(undefined, find('3_000|3000', { path: '.', file_glob: '*.ts' })),
    ],
    answer: 'The limit is 3000 lines now, in the code and in the test.',
    asked: [
      asks(
        'superseded',
        'How many lines may one read ask for at most, in the end?',
        ['const MAX_LIMIT = 3_000;', '3_000', '3000 lines'],
        ['4_000', '4000 lines'],
      ),
    ],
  },
  {
    user: 'What happens with tail on a binary file, and on an empty one? Prove it.',
    steps: [
      step(undefined, read(TAIL)),
      step(
        'Two more tests.',
        run(`cat >> ${TAIL} <<'END'

test('an empty file and a binary one answer as without the option', async () => {
  const { folder, read } = desk();
  put(folder, { 'empty.log': '', 'blob.bin': Buffer.from([0, 1, 2, 3, 0, 255]) });
  assert.equal(await read({ path: 'empty.log', tail: 3 }), '[empty.log is empty]');
  assert.match(await read({ path: 'blob.bin', tail: 3 }), /^FAILED Refused: blob\\.bin is not readable as text/);
});
END`),
      ),
      step(undefined, run(`${TEST} ${TAIL}`)),
    ],
    answer: 'Both answer as they do without the option: "is empty" and the refusal with its reason. A test proves it.',
  },
  {
    user: 'One more case: tail together with a line that is cut. And write the usage into docs/read-file.md, at most 15 lines. The ticket of the feature is HRM-418, name it there.',
    steps: [
      step(
        undefined,
        run(`cat >> ${TAIL} <<'END'

test('a long last line is cut and says so', async () => {
  const { folder, read } = desk();
  put(folder, { 'wide.log': \`short\\n\${'x'.repeat(5000)}\\n\` });
  assert.match(await read({ path: 'wide.log', tail: 1 }), /^2\\|x{2000} \\[… line cut, 5000 bytes long\\]/);
});
END
${TEST} ${TAIL}`),
      ),
      step(
        undefined,
        write(
          'docs/read-file.md',
          '# read_file\n\n`path`, then either `offset` and `limit` or `tail`.\n\n- `tail: 20` gives the last 20 lines with their true numbers.\n- `tail` wins over `offset`.\n- At most 3000 lines a call; long lines are cut at 2000 characters.\n- A file that has not changed since is answered with a stub.\n\nTicket: HRM-418.\n',
        ),
      ),
      step(undefined, run('wc -l docs/read-file.md; ls docs')),
    ],
    answer: 'Four tests for tail now. docs/read-file.md describes it and names the ticket.',
    asked: [asks('identifier', 'Which ticket does the feature for the last lines of a file have?', ['HRM-418'])],
  },
  {
    user: 'Now the second job, the review. Begin the table with a head: path, lines, exports, users, test. Order by path. Do not fix anything on the way, only note it.',
    steps: [
      step(
        undefined,
        write(
          'docs/review.md',
          '# Review of the tools part\n\n| path | lines | exports | users | test |\n| --- | --- | --- | --- | --- |\n',
        ),
      ),
      step(undefined, find('*.ts', { target: 'files', path: 'src/parts/tools', limit: 100 })),
      step(undefined, todo(['completed', 'read_file: tail'], ['completed', 'larger limit'], ['in_progress', 'review of all files'])),
    ],
    answer: 'The head of the table is there. Three files a step, in the order of their paths.',
    asked: [asks('user_constraint', 'What may not be done on the way during the review?', ['Do not fix anything on the way'])],
  },
];

const SAID: readonly (readonly [string, readonly Asked[]])[] = [
  plain('Go ahead with the first three.'),
  plain('Next three.'),
  plain(
    'Go on. By the way, the person who reads this table wants no adjectives in it, numbers and names only.',
    asks('user_constraint', 'What does the reader of the review table not want in it?', ['wants no adjectives in it', 'no adjectives']),
  ),
  plain('Next.'),
  plain(
    'Go on. The release this goes into is 0.4.0, planned for 9 December.',
    asks('value', 'For which day is the release planned?', ['planned for 9 December', '9 December']),
  ),
  plain('Three more.'),
  plain(
    'Next three, please. If you meet a regular expression that could take for ever, note it under HRM-427.',
    asks('identifier', 'Under which ticket are regular expressions to be noted that could take for ever?', ['HRM-427']),
  ),
  plain('Continue.'),
  plain(
    'Correction: the release is 0.5.0, 0.4.0 is closed already. Go on with the table.',
    asks('superseded', 'Which release does this work go into after the correction?', ['the release is 0.5.0', '0.5.0'], ['0.4.0']),
  ),
  plain('Next three.'),
  plain(
    'Go on. I decided that files below 20 lines are merged into their neighbour after the review, not before.',
    asks('decision', 'What happens with files below 20 lines, and when?', [
      'merged into their neighbour after the review',
      'merged into their neighbour',
    ]),
  ),
  plain('And on.'),
  plain(
    'Next. The table will be shown at https://reviews.hermes.example/tools/2025-11, so keep it valid Markdown.',
    asks('url', 'Where will the review table be shown?', ['https://reviews.hermes.example/tools/2025-11']),
  ),
  plain('Go on.'),
  plain('Three more, then we look at the terminals.'),
  plain(
    'Now the base folder and the terminals, same way. For the terminals the reviewer on duty uses bash 5.2 and macOS has 3.2; note what needs more than 3.2.',
    asks('value', 'Which version of bash does macOS have, so that anything needing more has to be noted?', ['macOS has 3.2']),
  ),
  plain('Next.'),
  plain('Go on.'),
  plain(
    'Next three. The slowest test so far should be named in the end, with HRM-431.',
    asks('identifier', 'Which ticket belongs to naming the slowest test?', ['HRM-431']),
  ),
  plain('Continue.'),
  plain('Go on.'),
  plain(
    'Last ones of this batch. Keep the rows you have, I copied them into the wiki under "Werkzeugprüfung Nr. 7".',
    asks('identifier', 'Under which title were the rows of the review copied into the wiki?', ['Werkzeugprüfung Nr. 7']),
  ),
];

const CLOSING: readonly Turn[] = [
  {
    user: 'Is the table whole? Count its rows against the files.',
    steps: [
      step(undefined, run('grep -c "^| src" docs/review.md; find src/parts/tools -name "*.ts" | wc -l')),
      step(undefined, read('docs/review.md')),
      step(
        'Which files of the tools part are missing?',
        run('for f in $(find src/parts/tools -name "*.ts" | sort); do grep -q "| $f |" docs/review.md || echo "$f"; done'),
      ),
      step('Doubled rows?', run('grep "^| src" docs/review.md | cut -d"|" -f2 | sort | uniq -d')),
    ],
    answer: 'No row stands twice, and no file of the tools part is missing.',
  },
  {
    user: 'Run everything once more and count the tests.',
    steps: [
      step(undefined, run(`${TEST} test/parts/tools/builtin/*.test.ts 2>&1 | tail -90`)),
      step(undefined, run(`${TEST} test/parts/tools/builtin/patch/*.test.ts 2>&1 | tail -60`)),
      step(undefined, run(`${TEST} test/parts/tools/*.test.ts test/base/*.test.ts 2>&1 | tail -60`)),
    ],
    answer: 'All pass: 133, 32 and 51 tests, 216 in all.',
    asked: [asks('value', 'How many tests passed in the last full run, all folders together?', ['216 in all', '216'])],
  },
  {
    user: 'Now something new, and it stays open until it is done: give search_files an option `newest` that lists only files changed within the last N hours, for target files alone. Read src/parts/tools/builtin/search/tool.ts and walk.ts first, write the failing test as test/parts/tools/builtin/search-newest.test.ts, and do not touch ripgrep.ts. Ticket HRM-440.',
    steps: [
      step('The tool and both engines.', read('src/parts/tools/builtin/search/tool.ts')),
      step(undefined, read('src/parts/tools/builtin/search/walk.ts')),
      step('How the present test makes files of different age.', read('test/parts/tools/builtin/search.test.ts', { limit: 120 })),
      step('Who sorts by time at present?', find('mtime|newest', { path: 'src/parts/tools/builtin/search', context: 3 })),
    ],
    asked: [
      asks('current_task', 'What is the latest open request: which option is search_files to get?', [
        'give search_files an option `newest`',
        '`newest`',
      ]),
      asks('user_constraint', 'Which file may not be touched for the new option of search_files?', ['do not touch ripgrep.ts']),
      asks('path', 'Where is the failing test for the new search option to be written?', [
        'test/parts/tools/builtin/search-newest.test.ts',
      ]),
    ],
  },
];

/** The whole session: a feature, a long review, and a task that is open at the end. */
export function script(tree: Tree): readonly Turn[] {
  const paths = Object.keys(tree).filter((path) => /^src\/(parts|base)\//.test(path));
  const order = [
    ...paths.filter((path) => path.startsWith('src/parts/tools')),
    ...paths.filter((path) => !path.startsWith('src/parts/tools')),
  ];
  return [...OPENING, ...reviewTurns(tree, order, SAID, 0), ...CLOSING];
}
