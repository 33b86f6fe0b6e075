import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import type { CommandList } from '../../../src/base/shell/ast.ts';
import { readShell } from '../../../src/base/shell/read.ts';
import { listCommandLists, listSubstitutions, joinWordParts } from '../../../src/base/shell/tree.ts';
import type { CommandVerdict } from '../../../src/contracts/safety.ts';
import { collectShellPaths } from '../../../src/parts/prompt/hints/shell-paths.ts';
import { analyzeCommandEffect } from '../../../src/parts/safety/checkpoints/commands.ts';
import { createListeningJudge } from '../../../src/parts/safety/command/judge.ts';
import { RULES } from '../../../src/parts/safety/command/rules/all.ts';
import { type Call, toProgramName } from '../../../src/parts/safety/command/call/call.ts';

const PLACE = { cwd: '/home/ada/project', home: '/home/ada' };

/** Every line of the corpora, with what the judge says of it and the calls it heard of. */
interface Judged {
  readonly id: string;
  readonly command: string;
  readonly verdict: CommandVerdict;
  readonly calls: readonly Call[];
}
const LINES: readonly Judged[] = ['dangerous', 'everyday'].flatMap((name) =>
  readFileSync(`test/fixtures/commands/tune/${name}.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((row) => {
      const { id, command } = JSON.parse(row) as { readonly id: string; readonly command: string };
      const calls: Call[] = [];
      const verdict = createListeningJudge(RULES, true, (call) => calls.push(call))(command, PLACE);
      return { id, command, verdict, calls };
    }),
);

/** Classes by which something is lost or written over, by their names. */
const LOSS = /loss|delete|wipe|write|format|move_outside|own_work|git_history|persistence/;
const isLoss = ({ verdict }: Judged): boolean => verdict.type !== 'fine' && LOSS.test(verdict.key);

test('nothing that the judge calls a loss or a write is reading for checkpoints', () => {
  const losses = LINES.filter(isLoss);
  assert.ok(losses.length > 1_200, `${losses.length} losses`);
  const unkept = losses.filter(({ command }) => analyzeCommandEffect(command, PLACE).mutation === 'reads');
  assert.deepEqual(
    unkept.map(({ id }) => id),
    [],
  );
});

test('a line that writes to a file, by any call the judge hears of, is never reading for checkpoints', () => {
  const isFile = (path: string): boolean => !/^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/.test(path);
  const writing = LINES.filter(({ calls }) => calls.some(({ writes }) => writes.some(isFile)));
  assert.ok(writing.length > 350, `${writing.length} lines write`);
  assert.deepEqual(
    writing.filter(({ command }) => analyzeCommandEffect(command, PLACE).mutation === 'reads').map(({ id }) => id),
    [],
  );
});

/** The names of the programs in a list that stand there in plain letters. */
const namesIn = (list: CommandList): readonly string[] =>
  list
    .flatMap(({ commands }) => commands)
    .flatMap((command) => {
      const words = command.type === 'simple' ? command.words : [];
      const name = words[0] === undefined ? undefined : joinWordParts(words[0], () => undefined);
      return [
        ...(name === undefined || /[*?[{]/.test(name) ? [] : [toProgramName(name)]),
        ...words.flatMap(({ parts }) => listSubstitutions(parts).flatMap(namesIn)),
        ...listCommandLists(command).flatMap(namesIn),
      ];
    });

/** Names that a line itself gives to something: its functions, and programs under another name. */
const functionsIn = (list: CommandList): readonly string[] =>
  list
    .flatMap(({ commands }) => commands)
    .flatMap((command) => [...(command.type === 'function' ? [command.name] : []), ...listCommandLists(command).flatMap(functionsIn)]);
const namedAnew = (calls: readonly Call[]): readonly string[] =>
  calls
    .filter(({ name }) => /^(?:ln|cp|install|hash|alias)$/.test(name))
    .flatMap(({ args }) => args.map((word) => toProgramName(word.replace(/=.*/s, ''))));

test('the judge hears of every program that stands in the reading everybody shares', () => {
  const unheard = LINES.flatMap(({ id, command, calls }) => {
    const { list, whole } = readShell(command);
    const heard = new Set([...calls.map(({ name }) => name), ...functionsIn(list), ...namedAnew(calls)]);
    // What a line only defines runs with a later one, and is heard of then.
    return whole && functionsIn(list).length === 0 ? namesIn(list).flatMap((name) => (heard.has(name) ? [] : [`${id} ${name}`])) : [];
  });
  assert.deepEqual(unheard, []);
});

/** Whether a path stands in a word of a call, or is what a word means from where the call runs. */
function names({ path, args, settings, writes, reads, fed, place: { cwd = PLACE.cwd } }: Call, wanted: string): boolean {
  const words = [path, ...args, ...settings, ...writes, ...reads, ...fed].map((word) => word.replaceAll(/[\uE000-\uE006]+/g, '*'));
  const spelt = wanted.startsWith(`${cwd}/`) ? [wanted, wanted.slice(cwd.length + 1)] : [wanted];
  return (
    words.some((word) => spelt.some((each) => word.includes(each))) ||
    words.flatMap((word) => word.split(/[=:]/)).some((word) => resolve(cwd, word) === resolve(wanted)) ||
    resolve(cwd) === resolve(wanted)
  );
}

test('hints name only what a call of the judge names, read from where that call runs, and folders it runs in', () => {
  const strange = LINES.filter(({ command }) => functionsIn(readShell(command).list).length === 0).flatMap(({ id, command, calls }) =>
    collectShellPaths(command, PLACE).flatMap((path) => (calls.some((call) => names(call, path)) ? [] : [`${id} ${path}`])),
  );
  // What a loop goes through is a word of no call, and `../*` spells no folder.
  assert.deepEqual(strange, ['d-1358 /proc/', 'd-0057 /home/ada', 'd-7054 /proc/']);
});
