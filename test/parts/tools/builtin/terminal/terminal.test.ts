import assert from 'node:assert/strict';
import { existsSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { hasEffectConflict } from '../../../../../src/agent/schedule.ts';
import { toErrorMessage } from '../../../../../src/base/errors.ts';
import { localTerminal } from '../../../../../src/parts/terminals/local/local.ts';
import { explainExitCode } from '../../../../../src/parts/tools/builtin/terminal/exit-meaning.ts';
import { findInteractiveCommand } from '../../../../../src/parts/tools/builtin/terminal/interactive.ts';
import { findEndlessCommand, findDetachedCommand } from '../../../../../src/parts/tools/builtin/terminal/foreground.ts';
import { createProcessTable } from '../../../../../src/parts/tools/builtin/terminal/processes.ts';
import { terminalTool, type TerminalInput } from '../../../../../src/parts/tools/builtin/terminal/terminal.ts';
import { processesWith } from '../../../../processes.ts';
import type { RunResult } from '../../../../../src/contracts/terminal.ts';
import { answer, contextIn, put, tempFolder } from '../../setup.ts';

const cwd = tempFolder();
put(cwd, { 'a.txt': 'one\n', 'b.txt': 'two\n' });
const terminal = await localTerminal.open({ cwd, env: { PATH: process.env['PATH'] ?? '' } });
after(() => terminal[Symbol.asyncDispose]());
const tool = terminalTool({
  processes: createProcessTable(),
  judge: () => ({ type: 'fine' }),
  timeoutSeconds: 5,
  maxTimeoutSeconds: 10,
  maxOutput: 10_000,
  keepAll: (sessionId, callId) => join(cwd, 'spill', sessionId, `${callId}.txt`),
});
const ask = (input: TerminalInput) => answer(tool, input, contextIn(terminal));

test('an exit code that is an answer is told as one', async () => {
  assert.equal(await ask({ command: 'grep nothing a.txt' }), '[exit code 1: nothing matched; this is no error]');
  assert.match(await ask({ command: 'diff a.txt b.txt' }), /> two\n\[exit code 1: they differ; this is no error\]$/);
  assert.match(await ask({ command: 'no-such-program' }), /\[exit code 127: there is no such command\]$/);
  assert.equal(await ask({ command: 'exit 1' }), '[exit code 1]');
  assert.equal(await ask({ command: 'grep one a.txt' }), 'one');
});

test('what a time-out leaves is looked for, and only what is known is told', async () => {
  const seconds = `5300.${process.pid}`;
  const command = `(sleep ${seconds} & setsid sleep ${seconds} & trap '' TERM; sleep ${seconds}; wait)`;
  assert.equal(await ask({ command, timeout: 1 }), '[stopped after 1 s; none of its processes was found running]');
  assert.deepEqual(processesWith(`sleep ${seconds}`), []);
  const stopped: RunResult = { exitCode: null, ended: 'timeout', allGone: false, output: '', omitted: 0, cwd };
  for (const result of [stopped, { exitCode: null, ended: 'timeout', output: '', omitted: 0, cwd } as const])
    assert.match(
      await answer(tool, { command: 'sleep 9' }, contextIn({ ...terminal, run: async () => result })),
      /^\[stopped after 5 s; its process group was stopped, but processes that left the group may still be running/,
    );
});

const MEANINGS: readonly [line: string, code: number, expected: RegExp | undefined][] = [
  ['grep -rn "x; y" src', 1, /nothing matched/],
  ['cat a | grep x', 1, /nothing matched/],
  ['cd src && LANG=C rg foo', 1, /nothing matched/],
  ['git diff --exit-code', 1, /differ/],
  ['[ -f x ]', 1, /condition is false/],
  ['test -d y', 1, /condition is false/],
  ['command -v jq', 1, /no such command/],
  ['curl -f http://127.0.0.1:1/', 7, /no connection could be made/],
  ['timeout 5 npm test', 124, /time was up/],
  ['node x.js', 137, /killed/],
  ['grep x missing.txt', 2, undefined],
  ['grep x a; false', 1, undefined],
  ['grep x a | sort', 1, undefined],
  ['npm test', 1, undefined],
  ['git commit -m "grep"', 1, undefined],
  ['echo "a | grep b"', 1, undefined],
  ['', 1, undefined],
];
for (const [line, code, expected] of MEANINGS)
  test(`exit code ${code} of: ${line}`, () => {
    const meaning = explainExitCode(line, code);
    if (expected === undefined) assert.equal(meaning, undefined);
    else assert.match(meaning ?? '', expected);
  });

const ENDLESS = [
  'npm run dev',
  'pnpm dev',
  'yarn start',
  'npm run watch -- --verbose',
  'cd app && PORT=3000 npm run dev',
  'npx vite --port 5173',
  'vite',
  'next dev',
  'npx -y next dev',
  'ng serve',
  'npx http-server dist',
  'python -m http.server',
  'python3 -m http.server 8000 --bind 127.0.0.1',
  'python manage.py runserver',
  'uv run uvicorn app:app --reload',
  'flask run',
  'php -S 127.0.0.1:8000',
  'rails s',
  'docker compose up',
  'tail -f log.txt',
  'tail -n 5 -F log.txt',
  'journalctl -u x -f',
  'docker logs -f web',
  'watch -n 1 ls',
  'top -b',
  'npx tsc --watch',
  'tsc -w',
  'npm run dev | tee log',
  'npm run dev 2>&1',
];
const ENDING = [
  'npm test',
  'npm run build',
  'npm run dev:build',
  'npm run start-check',
  'npm install && npm run lint',
  'npm run dev & sleep 2; curl http://127.0.0.1:3000',
  'npm run dev > log 2>&1 &',
  'timeout 5 npm run dev',
  'vite build',
  'npx vite build --mode production',
  'vite --version',
  'next build',
  'git commit -m "npm run dev; tail -f x"',
  "echo 'watch ls' > notes",
  'cat > run.sh <<EOF\nnpm run dev\nEOF',
  'tail -n 20 log.txt',
  'top -b -n 1',
  'top -bn1',
  'tail -5 foo',
  'tail -f log.txt | head -3',
  'docker compose up -d',
  'docker logs web',
  'grep -rn "npm run dev" .',
  'python -m pytest',
  'python -m http.server --help',
  'node server-test.js',
  'jest --watch=false',
  'tsc --noEmit -p .',
  'cat watch.txt',
  'kubectl get pods',
  '',
];
for (const line of ENDLESS) test(`goes on until stopped: ${line}`, () => assert.notEqual(findEndlessCommand(line), undefined));
for (const line of ENDING) test(`comes back: ${line.replaceAll('\n', '⏎')}`, () => assert.equal(findEndlessCommand(line), undefined));

const WAITING = [
  'vim x',
  'cd a && vi +10 b.txt',
  'sudo nano /etc/hosts',
  'nvim',
  'git commit',
  'git add . && git commit -a',
  'git -c user.name=x commit --amend',
  'git rebase -i HEAD~3',
  'crontab -e',
  'kubectl edit pod x',
];
const NOT_WAITING = [
  'vim --version',
  "vim -es -c '%s/a/b/' -c wq x",
  "vim -c ':%s/a/b/g | wq' x",
  'emacs --batch -l x.el',
  'git commit -m "x"',
  'git commit -am x',
  'git commit --amend --no-edit',
  'git commit -F message.txt',
  'git -c core.editor=true commit --amend',
  'GIT_EDITOR=true git commit --amend',
  "GIT_SEQUENCE_EDITOR='sed -i s/pick/drop/' git rebase -i HEAD~3",
  'git rebase main',
  'grep vim notes.txt',
  'crontab -l',
  'less a.txt',
  'view=1',
];
for (const line of WAITING) test(`waits for keys: ${line}`, () => assert.notEqual(findInteractiveCommand(line, false), undefined));
for (const line of NOT_WAITING) test(`waits for nobody: ${line}`, () => assert.equal(findInteractiveCommand(line, false), undefined));
for (const line of ['less a.txt', 'top', 'man ls'])
  test(`waits for keys with a terminal of its own: ${line}`, () => assert.notEqual(findInteractiveCommand(line, true), undefined));

test('an editor in the foreground and an empty command are refused, with what to do instead', async () => {
  assert.match(
    await ask({ command: 'vim x' }),
    /^FAILED Not run: `vim x` waits for somebody at the keyboard\. .*background: true and pty: true/,
  );
  for (const command of ['', '  \n']) assert.equal(await ask({ command }), 'FAILED Not run: the command is empty.');
});

test('a server in the foreground is refused with advice, in the background it starts', async () => {
  assert.match(
    await ask({ command: 'cd . && tail -f a.txt' }),
    /^FAILED Not run: `tail -f a.txt` runs until it is stopped.*background: true/,
  );
  assert.match(await ask({ command: 'tail -f a.txt', background: true }), /^Started in the background/);
});

const LEFT_BEHIND: readonly [line: string, left: string | undefined][] = [
  ['sleep 5 &', 'sleep 5 &'],
  ['make all && ./serve --port 1 &', './serve --port 1 &'],
  ['nohup ./serve > log 2>&1 &', 'nohup ./serve > log 2>&1 &'],
  ['nohup ./serve', 'nohup ./serve'],
  ['cd app; PORT=1 nohup ./serve & sleep 1', 'nohup ./serve &'],
  ['./serve & disown', 'disown'],
  ['setsid ./serve', 'setsid ./serve'],
  ['(./serve &)', './serve &'],
  ['sleep 1 & sleep 2 &', 'sleep 2 &'],
  ['a | b &', 'a | b &'],
  ['wait; ./serve &', './serve &'],
  ['sleep 1 & wait', undefined],
  ['nohup ./job & wait $!', undefined],
  ['for i in 1 2; do ./job $i & done; wait', undefined],
  ['./serve & sleep 2; curl http://127.0.0.1:1/; kill $!', undefined],
  ['./job & tail --pid=$! -f log', undefined],
  ['setsid -w ./job', undefined],
  ['setsid --wait ./job', undefined],
  ['nohup --version', undefined],
  ['make 2>&1', undefined],
  ['make &> log', undefined],
  ['echo "a &"', undefined],
  ['grep nohup notes.txt', undefined],
  ['cat <<EOF\nsleep 5 &\nEOF', undefined],
  ['', undefined],
];
for (const [line, left] of LEFT_BEHIND)
  test(`left behind by: ${line.replaceAll('\n', '⏎')}`, () => assert.equal(findDetachedCommand(line), left));

test('what a line would leave behind is refused with advice; what it only starts does not hold the call', async () => {
  assert.match(await ask({ command: 'cd . && sleep 30 &' }), /^FAILED Not run: `sleep 30 &` would keep running .*background: true.*`wait`/);
  const pid = await ask({ command: 'true && sleep 30 & echo $!' });
  assert.match(pid, /^\d+$/);
  assert.equal(await ask({ command: `kill ${pid} && echo it was running` }), 'it was running');
  assert.equal(await ask({ command: 'sleep 0.1 & wait; echo waited' }), 'waited');
});

test('half a megabyte of anything is read in little time', () => {
  for (const piece of ["'", '"', '\\', 'a ', '|', '&', 'a=b ', '>& ', '- ', '((']) {
    const line = piece.repeat(500_000 / piece.length);
    findEndlessCommand(`tail ${line}`);
    findDetachedCommand(`tail ${line}`);
    explainExitCode(line, 1);
  }
});

test('a gap in long output names the file that has all of it', async () => {
  assert.ok((await ask({ command: 'seq 1 60000' })).includes(`the whole output is in ${join(cwd, 'spill', 's1', 'c1.txt')}, read it`));
});

test('a working folder that is gone gets a word', async () => {
  await ask({ command: 'mkdir gone && cd gone' });
  rmdirSync(join(cwd, 'gone'));
  assert.equal(await ask({ command: 'echo here' }), `[the working directory no longer exists; this ran in ${cwd}]\nhere`);
});

const READS = [
  'ls -la src',
  'cat a.txt | grep one | wc -l',
  'git status && git diff --stat',
  "rg -n 'two words' src; pwd",
  'find . -name x.ts',
  'sleep 1',
];
const WRITES = [
  'rm a.txt',
  'cat a.txt > b.txt',
  'ls; touch x',
  'find . -delete',
  "find . -name x -exec rm '{}' +",
  'sort -o a.txt a.txt',
  'git commit -m x',
  'git diff --output=x',
  'echo $(rm a.txt)',
  'ls &',
  'ls\nrm a.txt',
  'cd src && ls',
  'env rm a.txt',
  'npm test',
  'sleep 1 | tee a.txt',
  '',
];

test('parallel shell commands that touch nothing in common run side by side', () => {
  const effectsOf = (command: string) => tool.effects({ command });
  for (const one of READS)
    for (const other of READS) assert.equal(hasEffectConflict(effectsOf(one), effectsOf(other)), false, `${one} beside ${other}`);
  for (const one of WRITES)
    for (const other of [...READS, ...WRITES])
      assert.equal(hasEffectConflict(effectsOf(one), effectsOf(other)), true, `${one} beside ${other}`);
  assert.equal(hasEffectConflict(tool.effects({ command: 'sleep 5', background: true }), effectsOf('ls')), true);
});

test('a shell syntax error is returned as one, not asked about', async () => {
  const judged = terminalTool({
    processes: createProcessTable(),
    judge: () => ({ type: 'ask', key: 'unreadable', reason: 'its quoting cannot be parsed' }),
    timeoutSeconds: 5,
    maxTimeoutSeconds: 10,
    maxOutput: 10_000,
  });
  const asked = async (command: string) => {
    try {
      return (await judged.asks?.({ command }, contextIn(terminal)))?.action.reason;
    } catch (error) {
      return toErrorMessage(error);
    }
  };
  assert.match((await asked('touch made; echo "a')) ?? '', /^Not run: the shell cannot read this line\.\n.*unexpected EOF/);
  assert.match((await asked('touch made\nif true; then')) ?? '', /^Not run: the shell cannot read this line\.\n.*syntax error/);
  assert.equal(existsSync(join(cwd, 'made')), false, 'nothing of it is run');
  assert.equal(await asked('echo $(echo "fine")'), 'its quoting cannot be parsed', 'what only we cannot read is asked about');
});
