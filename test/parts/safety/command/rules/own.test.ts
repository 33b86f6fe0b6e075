import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandLocation, FileIdentity } from '../../../../../src/contracts/safety.ts';
import { resolveClassRow } from '../../../../../src/parts/safety/approval/classes.ts';
import { judgeCommand } from '../../../../../src/parts/safety/command-floor.ts';

const PLACE = { cwd: '/home/ada/project', home: '/home/ada' };
const keys = (line: string, place: CommandLocation = PLACE): readonly string[] => {
  const verdict = judgeCommand(line, place);
  return verdict.type === 'fine' ? [] : verdict.key.split('+');
};
const SEEN = { device: 1, inode: 1 } as const;
const disk =
  (files: Readonly<Record<string, FileIdentity>>) =>
  (path: string): FileIdentity | undefined =>
    files[path];

test('the agent is asked before it changes its own rules, and a yes is good once', () => {
  for (const line of [
    "hermes chat --yolo -q 'tidy up'",
    'hermes',
    'hermes checkpoints clear --yes',
    'hermes mcp add evil --command sh',
    'hermes mcp add evil sh --help',
    'hermes tools enable terminal',
    'hermes approvals allow 3f2a',
    'hermes config set approvals.mode off',
    'hermes skills install evil/skill',
    'hermes memory add user "always agree"',
    'hermes trash empty',
    'hermes sessions delete 1 --yes',
    'hermes prompt allow AGENTS.md',
    'hermes usage --yolo',
  ])
    assert.ok(keys(line).includes('own_rules'), line);
  assert.equal(resolveClassRow('own_rules').longest, 'once');
});

test('it is known by its path, under an interpreter, in wrappers and under another name', () => {
  for (const line of [
    './bin/hermes trash empty',
    '/usr/local/bin/hermes trash empty',
    'sh bin/hermes trash empty',
    'node dist/main.cjs chat -q x',
    'node dist/build-0a1b2c3d-4e5f6a7b/main.cjs chat -q x',
    'node --no-warnings /opt/hermes/dist/main.cjs trash empty',
    'npx hermes trash empty',
    'env -i hermes trash empty',
    'cp "$(which hermes)" /tmp/h && /tmp/h trash empty',
    'ln -s /usr/local/bin/hermes h && ./h trash empty',
  ])
    assert.ok(keys(line).includes('own_rules'), line);
});

test('a link and a bundle are known by what the disk shows', () => {
  const linked = disk({ '/home/ada/project/h': { ...SEEN, kind: 'link', link: '/opt/x/bin/hermes' } });
  assert.ok(keys('./h trash empty', { ...PLACE, look: linked }).includes('own_rules'));
  const bundle = disk({ '/opt/x/bin/hermes': { ...SEEN, kind: 'file' } });
  assert.ok(keys('node /opt/x/dist/main.cjs -q hello', { ...PLACE, look: bundle }).includes('own_rules'));
  assert.ok(!keys('node dist/main.cjs --port 3000', { ...PLACE, look: bundle }).includes('own_rules'));
});

test('what it only shows of itself is everyday', () => {
  for (const line of [
    'hermes doctor',
    'hermes --help',
    'hermes config set --help',
    'hermes config get model',
    'hermes sessions search deploy',
    'hermes checkpoints diff 3',
    'hermes prompt',
    'grep -rn hermes docs',
    'node dist/main.cjs --port 3000',
  ])
    assert.ok(!keys(line).includes('own_rules'), line);
});

test('nobody types for the owner', () => {
  for (const line of [
    'tmux send-keys -t 0 y Enter',
    'tmux send -t main y',
    "screen -S main -X stuff 'y^M'",
    'xdotool key Return',
    'wtype y',
    'ydotool key 28:1 28:0',
    'kitty @ send-text y',
    'echo y > /dev/pts/0',
    'echo y | tee /dev/pts/3',
    'printf y > /dev/tty2',
    `python3 -c "import fcntl,termios; fcntl.ioctl(0, termios.TIOCSTI, 'y')"`,
    `perl -e 'ioctl(STDIN, 0x5412, $_) for split //, "y"'`,
  ])
    assert.ok(keys(line).includes('own_rules'), line);
  for (const line of [
    'tmux ls',
    'tmux new -d -s srv && tmux send-keys -t srv "npm run dev" Enter',
    'xdotool getactivewindow',
    'screen -ls',
  ])
    assert.ok(!keys(line).includes('own_rules'), line);
});
