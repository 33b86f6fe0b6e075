import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readWalks, walkProblems, type ReadSource, type WalkLimits } from './walk-checker.ts';

const PAGE = 'docs/walks.md';
/** Where each walk of the page begins and ends, and how many files it may take. */
const LIMITS: Readonly<Record<string, WalkLimits>> = {
  'chat -q': { from: 'src/main.ts#start', to: 'src/faces/cli/one-shot.ts#finish', maxFiles: 25 },
  'a tool call': { from: 'src/agent/act.ts#act', to: 'src/agent/report.ts#reportResults', maxFiles: 20 },
  'a setting': { from: 'src/app/host/host.ts#openShared', to: 'src/parts/store/sqlite/database/db.ts#openDb', maxFiles: 8 },
  'a chat message comes in': {
    from: 'src/faces/gateway/link/generation.ts#runGeneration',
    to: 'src/parts/store/sqlite/gateway/gateway.ts#receive',
    maxFiles: 8,
  },
  'a chat message reaches its session': {
    from: 'src/faces/gateway/runner/traffic.ts#startLoops',
    to: 'src/app/host/session-handle.ts#resume',
    maxFiles: 6,
  },
  'an answer reaches its chat': {
    from: 'src/faces/gateway/runner/traffic.ts#startLoops',
    to: 'src/parts/store/sqlite/gateway/gateway.ts#endPart',
    maxFiles: 6,
  },
};
/** The three of a chat message are one walk: rows of the store stand between them instead of calls. */
const CHAT_WALKS = ['a chat message comes in', 'a chat message reaches its session', 'an answer reaches its chat'];
const MAX_CHAT_FILES = 15;

const fromDisk: ReadSource = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

test('the page has exactly the walks that have limits', () => {
  assert.deepEqual(
    readWalks(readFileSync(PAGE, 'utf8')).map(({ title }) => title),
    Object.keys(LIMITS),
  );
});

for (const walk of readWalks(readFileSync(PAGE, 'utf8')))
  test(`the walk “${walk.title}” is what the code does, and no longer than it may be`, (context) => {
    const limits = LIMITS[walk.title];
    assert.ok(limits !== undefined);
    assert.deepEqual(walkProblems(walk, limits, fromDisk), []);
    context.diagnostic(`${new Set(walk.steps.map(({ file }) => file)).size} of at most ${limits.maxFiles} files`);
  });

test('a chat message meets few files on its whole way, and only adapter, store and the place that joins them more than once', (context) => {
  const walks = readWalks(readFileSync(PAGE, 'utf8')).filter(({ title }) => CHAT_WALKS.includes(title));
  const met = walks.flatMap(({ steps }) => [...new Set(steps.map(({ file }) => file))]);
  const twice = new Set(met.filter((file, index) => met.indexOf(file) !== index));
  assert.deepEqual([...twice].toSorted(), [
    'src/faces/gateway/runner/traffic.ts',
    'src/parts/store/sqlite/gateway/gateway.ts',
    'src/platforms/telegram/adapter.ts',
  ]);
  const count = new Set(met).size;
  assert.ok(count <= MAX_CHAT_FILES, `it leads through ${count} files, and ${MAX_CHAT_FILES} is the most`);
  context.diagnostic(`${count} of at most ${MAX_CHAT_FILES} files`);
});

/** A small program: a start that loads what it needs, a contract, and who keeps it. */
const PROGRAM: Readonly<Record<string, string>> = {
  'a/main.ts': `
    import { openShop as open } from './shop.ts';
    import type { Clerk } from './clerk.ts';
    export async function start(argv: readonly string[]): Promise<void> {
      const shop = open();
      const { greet } = await import('../b/greet.ts');
      greet(await shop.sell(argv), ((await import('../b/late.ts')) as typeof import('../b/late.ts')).bow);
      helper();
    }
    const helper = (): Clerk | undefined => undefined;
    export const unused = () => start([]);`,
  'a/shop.ts': `
    import * as clerk from './clerk.ts';
    const TABLE = { bread: clerk.bake };
    export function openShop() {
      return { sell: async ([what = '']: readonly string[]) => TABLE[what as 'bread']() };
    }`,
  'a/clerk.ts': `export class Clerk { #name = ''; rest() { return this.#name; } }
    export const bake = (): string => 'bread';`,
  'b/greet.ts': `export const greet = (words: string, { say } = { say: (text: string) => text }) => say(words);`,
  'b/say.ts': `export const loud = { say: (text: string) => text.toUpperCase() };
    export const helper = () => loud;`,
  'b/late.ts': `export function bow() {}`,
};
const WHOLE = [
  'a/main.ts#start',
  'a/shop.ts#openShop',
  'a/shop.ts#sell',
  'a/shop.ts#TABLE',
  'a/clerk.ts#bake',
  'b/greet.ts#greet',
  'b/say.ts#say',
];
const page = (steps: readonly string[]): string =>
  ['# Walks', '', '## small', '', ...steps.map((step, index) => `${index + 1}. \`${step}\` does something`)].join('\n');
const problemsOf = (steps: readonly string[], more: Partial<WalkLimits> = {}): string[] => {
  const [walk] = readWalks(page(steps));
  assert.ok(walk !== undefined);
  return walkProblems(walk, { from: steps[0] ?? '', to: steps.at(-1) ?? '', maxFiles: 9, ...more }, (file) => PROGRAM[file]);
};

test('a walk may follow imports under other names, late imports, tables, methods and what is handed over, and come back', () => {
  assert.deepEqual(problemsOf(WHOLE, { maxFiles: 5 }), []);
  assert.deepEqual(problemsOf(['a/main.ts#start', 'a/main.ts#helper']), []);
  assert.deepEqual(problemsOf(['a/main.ts#start', 'b/late.ts#bow']), []);
});

const WRONG: readonly (readonly [what: string, steps: readonly string[], limits: Partial<WalkLimits>, told: RegExp])[] = [
  ['a file that is not there', ['a/main.ts#start', 'a/gone.ts#openShop'], {}, /^a\/gone\.ts is not there$/],
  [
    'a function that is not there',
    ['a/main.ts#start', 'a/shop.ts#closeShop'],
    {},
    /^a\/shop\.ts#closeShop: the file has nothing of that name$/,
  ],
  ['a step left out', ['a/main.ts#start', 'a/clerk.ts#bake'], {}, /^a\/clerk\.ts#bake is called neither by a\/main\.ts#start nor/],
  ['an import that is only a type', ['a/main.ts#helper', 'a/clerk.ts#Clerk'], {}, /^a\/clerk\.ts#Clerk is called neither by/],
  [
    'an import that another function uses',
    ['a/main.ts#helper', 'a/shop.ts#openShop'],
    {},
    /openShop is called neither by a\/main\.ts#helper/,
  ],
  ['the wrong direction', ['a/shop.ts#openShop', 'a/main.ts#start'], {}, /^a\/main\.ts#start is called neither by a\/shop\.ts#openShop/],
  [
    'a sister that was left behind',
    ['a/main.ts#start', 'b/greet.ts#greet', 'a/shop.ts#openShop', 'b/say.ts#say'],
    {},
    /say\.ts#say is called neither/,
  ],
  ['a method nobody calls', ['a/main.ts#start', 'a/clerk.ts#rest'], {}, /^a\/clerk\.ts#rest is called neither/],
  ['a name that is the file’s own', ['a/main.ts#start', 'b/say.ts#helper'], {}, /^b\/say\.ts#helper is called neither/],
  ['another beginning', WHOLE, { from: 'a/main.ts#main' }, /^it begins with a\/main\.ts#start, not with a\/main\.ts#main$/],
  ['another end', WHOLE.slice(0, -1), { to: 'b/say.ts#say' }, /^it ends with b\/greet\.ts#greet, not with b\/say\.ts#say$/],
  ['too many files', WHOLE, { maxFiles: 4 }, /^it leads through 5 files, and 4 is the most$/],
];
for (const [what, steps, limits, told] of WRONG)
  test(`a wrong walk is found out: ${what}`, () => {
    const problems = problemsOf(steps, limits);
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems[0] ?? '', told);
  });

test('a page without a walk has none, and a list without places is no walk', () => {
  assert.deepEqual(readWalks('# Walks\n\n## notes\n\n1. first\n2. second\n'), []);
});
