import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frameScript, readFrame, createMarkCutoff } from '../../../src/parts/terminals/line/frame.ts';
import { encodeScriptInput } from '../../../src/parts/terminals/line/line.ts';
import { createSshCloseArguments, createSshExecArguments, createSshPtyArguments } from '../../../src/parts/terminals/ssh/command-lines.ts';
import { describeSshFailure } from '../../../src/parts/terminals/ssh/failures.ts';

test('the command lines of ssh', () => {
  const settings = { host: 'host', user: 'you', port: 2222, key: '/key', options: ['ProxyJump=gate'] };
  const line = createSshExecArguments(settings, '/s');
  for (const option of [
    'ControlMaster=auto',
    'ControlPersist=300',
    'BatchMode=yes',
    'StrictHostKeyChecking=accept-new',
    'ConnectTimeout=10',
    'ControlPath=/s',
    'ProxyJump=gate',
  ]) {
    assert.ok(line.includes(option), option);
  }
  assert.ok(line.indexOf('BatchMode=yes') < line.indexOf('ProxyJump=gate'), 'the first word about an option holds');
  assert.deepEqual(line.slice(-8), [
    '-p',
    '2222',
    '-i',
    '/key',
    '-o',
    'IdentitiesOnly=yes',
    'you@host',
    `exec env SHLVL=1 bash -c 'IFS= read -rd "" s && eval "$s"'`,
  ]);
  assert.deepEqual([line[0], createSshPtyArguments(settings, '/s', '/f')[0]], ['-T', '-tt']);
  assert.equal(createSshPtyArguments(settings, '/s', '/f').at(-1), "exec env SHLVL=1 bash '/f'");
  assert.deepEqual(createSshCloseArguments({ host: 'host' }, '/s').slice(0, 2), ['-O', 'exit']);
  assert.equal(createSshExecArguments({ host: 'host' }, '/s').at(-2), 'host');
});

test('what ssh complains of is told with a way out', () => {
  const settings = { host: 'host', user: 'you', port: 2222, key: '/key' };
  const table: readonly (readonly [said: string, told: RegExp])[] = [
    ['you@host: Permission denied (publickey).', /authorized_keys/],
    ['@@@@@@@\n@ WARNING: UNPROTECTED PRIVATE KEY FILE! @\n@@@@@@@\nyou@host: Permission denied (publickey).', /chmod 600 \/key/],
    ['Host key verification failed.', /ssh-keygen -R '\[host\]:2222'/],
    ['ssh: Could not resolve hostname host: Name or service not known', /terminal\.ssh_host/],
    ['ssh: connect to host host port 2222: Connection refused', /terminal\.ssh_port/],
    ['ssh: connect to host host port 2222: Connection timed out', /does not answer/],
    ['', /by hand/],
  ];
  for (const [said, told] of table) assert.match(describeSshFailure(settings, said), told);
});

test('a frame is read whatever stands before it, and half of one is half of one', () => {
  const mark = 'hermes-00ff';
  const whole = `Welcome to the host\n${mark} begun 42\n^/gone\n+/a\nb\n${mark} ended 3\n`;
  assert.deepEqual(readFrame(whole, mark), { noise: 'Welcome to the host\n', group: 42, text: '^/gone\n+/a\nb\n', exitCode: 3 });
  assert.deepEqual(readFrame(`${mark} begun 42\n`, mark), { noise: '', group: 42, text: '' });
  assert.deepEqual(readFrame(`${mark} begun 4`, mark), { noise: '', text: '' });
  assert.deepEqual(readFrame('Permission denied', mark), { noise: 'Permission denied', text: '' });
  assert.deepEqual(readFrame(`${mark} begun 1\n${mark} ended 12`, mark), { noise: '', group: 1, text: '' });
});

test('output goes through until the mark, however it is cut, and nothing after it', () => {
  const mark = 'abcab';
  const stream = Buffer.from('xabcaxxabcabLATE');
  for (let size = 1; size <= stream.length; size++) {
    const until = createMarkCutoff(mark);
    const heard: Buffer[] = [];
    for (let at = 0; at < stream.length; at += size) heard.push(until.push(stream.subarray(at, at + size)));
    assert.deepEqual([Buffer.concat(heard).toString(), until.ended], ['xabcaxx', true], `pieces of ${size}`);
  }
  const broken = createMarkCutoff(mark);
  assert.equal(broken.push(Buffer.from('ends abca')).toString() + broken.rest().toString(), 'ends abca');
});

test('a script of any bytes stands before the first zero, and the input after it', () => {
  const script = frameScript({ script: `echo "it's \\$x"\n`, mark: 'm', stdin: true, id: 'i1' });
  const input = encodeScriptInput(script, 'in\0put');
  assert.equal(input.indexOf(0), Buffer.byteLength(script));
  assert.equal(input.subarray(input.indexOf(0) + 1).toString(), 'in\0put');
  assert.match(script, /'echo "it'\\''s \\\$x"\n' 2>&1\) &/);
  assert.match(frameScript({ script: ':', mark: 'm', stdin: false, id: 'i1', login: true }), /-lc ':' 2>&1 <\/dev\/null\)/);
});
