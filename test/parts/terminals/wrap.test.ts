import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { localTerminal } from '../../../src/parts/terminals/local/local.ts';
import { createMarkFilter } from '../../../src/parts/terminals/process/marks.ts';
import { openTemporaryFolder } from '../../../src/parts/terminals/shell/temporary-folder.ts';
import { quoteShellWord } from '../../../src/base/shell.ts';
import { parseCommandEnd, wrapCommand, type WrapOptions } from '../../../src/parts/terminals/shell/wrap.ts';
import { run } from '../../../src/testing/conformance/terminal-commands.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-wrap-')));
after(() => rmSync(folder, { recursive: true, force: true }));
const shellRooms = () => readdirSync('/dev/shm').filter((name) => name.startsWith(`hermes-shell-${process.pid}-`));

/** Runs a script of ours as a back end would, with descriptor 3 open. */
function ran(wrapped: Omit<WrapOptions, 'shell'>, env: Readonly<Record<string, string>> = {}, shell: 'bash' | 'sh' = 'bash') {
  const { status, stdout, stderr, output } = spawnSync(`/bin/${shell}`, ['-c', wrapCommand({ ...wrapped, shell })], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  return { status, out: stdout.toString(), err: stderr.toString(), told: output[3]?.toString() ?? '' };
}

test('what was told is read, and what was cut off is not', () => {
  assert.deepEqual(parseCommandEnd('+/a b\nc\n'), { cwd: '/a b\nc', left: true });
  assert.deepEqual(parseCommandEnd('^/a\n-/a\n'), { cwd: '/a', left: false, movedTo: '/a' });
  for (const text of ['', '+', '+/a', '/a\n', '+a\n', '^/a\n']) assert.equal(parseCommandEnd(text), undefined, text);
});

test('a plain shell tells the folder, also without a descriptor of its own', () => {
  assert.deepEqual(ran({ command: 'cd /usr; exit 3', tell: {} }, {}, 'sh'), { status: 3, out: '', err: '', told: '-/usr\n' });
  assert.deepEqual(ran({ command: 'echo x; cd /usr', tell: { mark: '<m>' } }, {}, 'sh').out, 'x\n<m>-/usr\n<m>');
  assert.deepEqual(ran({ command: 'echo x; cd /usr', tell: { mark: '<m>' } }).out, 'x\n<m>-/usr\n<m>');
});

test('a folder that is gone ends the script, or the nearest above it will do', () => {
  const gone = `${folder}/no/such`;
  const refused = ran({ command: 'echo ran', tell: {}, cwd: gone });
  assert.equal(refused.status, 126);
  assert.match(refused.out, /^[^\n]*no\/such: No such file or directory\n$/);
  assert.deepEqual(parseCommandEnd(ran({ command: 'pwd', tell: {}, cwd: gone, orAbove: true }).told), {
    cwd: folder,
    left: false,
    movedTo: folder,
  });
  assert.equal(parseCommandEnd(ran({ command: 'pwd', tell: {}, cwd: folder, orAbove: true }).told)?.movedTo, undefined);
});

test('the exit code of what nobody waits for is left in a file, whatever the command hung up', () => {
  const exit = join(folder, "it's.exit");
  for (const [command, code] of [
    ['exit 4', 4],
    ['false', 1],
    ["trap 'echo bye' EXIT; (exit 6)", 6],
  ] as const) {
    rmSync(exit, { force: true });
    assert.equal(ran({ command, exit }).status, code);
    assert.equal(readFileSync(exit, 'utf8'), `${code}\n`, command);
  }
});

test('what came with the environment is not written down, unless a command made another of it', () => {
  const into = join(folder, 'snapshot');
  const given = ['SECRET_KEY', 'OTHER', 'GONE', 'not a name'];
  const env = { SECRET_KEY: 'hush-1', OTHER: 'old', GONE: 'x' };
  const { told } = ran({ command: 'OTHER=new; unset GONE; export MINE=mine', tell: {}, snapshot: { into, given } }, env);
  const text = readFileSync(into, 'utf8');
  assert.equal(told, `+${folder}\n`);
  assert.ok(!text.includes('hush-1'), text);
  assert.match(text, /OTHER="new"[^]*|MINE="mine"/);
  assert.equal(
    ran({ command: 'echo "$SECRET_KEY $OTHER ${GONE-gone} $MINE"', tell: {}, snapshot: { from: into } }, env).out,
    'hush-1 new gone mine\n',
  );
});

test('a session with names of the shell in another meaning is carried over all the same', () => {
  const into = join(folder, 'named');
  const command =
    'cd() { builtin cd "$@" && echo moved; }; printf() { echo mine; }; echo() { builtin printf "e:%s\\n" "$*"; }; pwd() { :; }; declare() { :; }; IFS=:; set -- a b';
  assert.equal(ran({ command, tell: {}, snapshot: { into } }).told, `+${folder}\n`);
  assert.equal(
    ran({ command: 'echo x; cd /; x=a:b; for i in $x; do builtin echo $i; done', tell: {}, snapshot: { from: into } }).out,
    'e:x\ne:moved\na\nb\n',
  );
});

test('a full disk leaves the snapshot of before', (context) => {
  if (!existsSync('/usr/bin/bwrap')) return context.skip('there is no bubblewrap to make a small disk with');
  const script = wrapCommand({
    command: 'FULL=1; head -c 100000 /dev/zero > /mnt/fill 2>/dev/null',
    shell: 'bash',
    tell: {},
    snapshot: { into: '/mnt/a' },
  });
  const args = [...'--ro-bind / / --dev /dev --proc /proc --size 65536 --tmpfs /mnt --chdir /'.split(' '), '/bin/bash', '-c', script];
  const { output, status, stderr } = spawnSync('/usr/bin/bwrap', args, { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  if (stderr.toString().startsWith('bwrap:') || status === null)
    return context.skip(`bubblewrap does not work here: ${stderr.toString().trim()}`);
  return assert.equal(output[3]?.toString(), '-/\n');
});

test(
  'the files of a session are its owner’s alone, and gone at its end',
  { skip: existsSync('/dev/shm') ? false : 'no /dev/shm' },
  async () => {
    const before = shellRooms();
    const terminal = await localTerminal.open({ cwd: folder, env: { PATH: process.env['PATH'] ?? '' } });
    await run(terminal, 'umask 000; export TOKEN_OF_MINE=x');
    await run(terminal, 'true');
    const [room = ''] = shellRooms().filter((name) => !before.includes(name));
    assert.equal(statSync(join('/dev/shm', room)).mode & 0o777, 0o700);
    for (const file of ['a', 'b']) assert.equal(statSync(join('/dev/shm', room, file)).mode & 0o777, 0o600);
    await terminal[Symbol.asyncDispose]();
    assert.deepEqual(shellRooms(), before);
  },
);

test('a word stays one word', () => {
  for (const word of ["it's", '$(x) `y` \\ "z"', 'a\nb', ''])
    assert.equal(execFileSync('/bin/sh', ['-c', `printf %s ${quoteShellWord(word)}`], { encoding: 'utf8' }), word);
});

test('marks are taken out of a stream however it is cut', () => {
  const whole = Buffer.from('one <m two<mark>+/home\n<mark> three<ma');
  for (let size = 1; size <= whole.length; size++) {
    const filter = createMarkFilter('<mark>');
    let out = '';
    for (let at = 0; at < whole.length; at += size) out += filter.push(whole.subarray(at, at + size)).toString();
    assert.deepEqual([out + filter.end().toString(), filter.told()], ['one <m two three<ma', '+/home\n'], String(size));
  }
});

test('what a killed process left is swept away by the next, and nothing else', async () => {
  const above = mkdtempSync(join(folder, 'sweep-'));
  const dead = spawnSync('/bin/true').pid;
  const live = openTemporaryFolder(above, 'kind-');
  const left = live.path.replace(`kind-${process.pid}-`, `kind-${dead}-`);
  const elsewhere = left.replace(/-\d+-(\w+)$/, '-1-$1');
  for (const path of [left, elsewhere, join(above, `other-${dead}-1-x`)]) mkdirSync(path);
  const next = openTemporaryFolder(above, 'kind-');
  assert.deepEqual(
    [left, elsewhere, live.path, next.path].map((path) => existsSync(path)),
    [false, true, true, true],
  );
  live.close();
  await next.remove();
  assert.deepEqual(readdirSync(above).length, 2);
});
