import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { after, test } from 'node:test';
import { SETTINGS } from '../../src/app/config/config.ts';
import { createRegistries, snapshotRegistries } from '../../src/app/tools/registries.ts';
import { listSyncSources, openTerminal } from '../../src/app/tools/terminal.ts';
import { resolveHome } from '../../src/base/home.ts';
import { collectDefaults } from '../../src/contracts/settings.ts';
import { openSync } from '../../src/parts/terminals/sync/sync.ts';
import { bashLine } from '../parts/terminals/sync-stage.ts';
import { explainComplaint, sandboxHere } from '../../src/parts/terminals/sandbox/probe.ts';

const root = mkdtempSync(join(tmpdir(), 'terminal-app-'));
after(() => rmSync(root, { recursive: true, force: true }));
async function open(platform: string, chosen?: 'local' | 'sandbox', home = resolveHome({ HERMES_HOME: join(root, 'home') })) {
  const notices: string[] = [];
  const parts = {
    home,
    config: { settings: { ...collectDefaults(SETTINGS), ...(chosen !== undefined && { 'terminal.backend': chosen }) }, sources: {} },
    env: process.env,
    registered: snapshotRegistries(createRegistries()),
  };
  const notice = (words: string) => void notices.push(words);
  const terminal = await openTerminal(parts, { platform, cwd: root, sessionId: 's1', terminalTask: 'test', notice });
  return { terminal, notices };
}

const here = await sandboxHere();
for (const [platform, banner] of [
  ['cli', /^Not sandboxed: commands have all of your rights\. What to do: hermes doctor$/],
  ['tui', /^Not sandboxed: commands have all of your rights\. What to do: hermes doctor$/],
  ['telegram', /NOT SANDBOXED: commands of telegram/],
  ['cron', /NOT SANDBOXED: commands of cron/],
  ['api_server', /NOT SANDBOXED: commands of api_server/],
] as const)
  test(`work on ${platform} runs in the sandbox where there is one, and with a banner where there is none`, async () => {
    const { terminal, notices } = await open(platform);
    await using _ = terminal;
    if (here.ok) assert.deepEqual([terminal.kind, notices], ['sandbox', []]);
    else {
      assert.equal(terminal.kind, 'local');
      assert.match(notices.join(), banner);
    }
  });

test(
  'that there is no sandbox is told once, however many sessions and commands open a terminal',
  { skip: here.ok && 'there is a sandbox here' },
  async () => {
    const home = resolveHome({ HERMES_HOME: join(root, 'home') });
    const counts: number[] = [];
    for (const platform of ['tui', 'tui', 'cli', 'telegram', 'telegram']) {
      const { terminal, notices } = await open(platform, undefined, home);
      await using _ = terminal;
      counts.push(notices.length);
    }
    assert.deepEqual(counts, [1, 0, 0, 1, 0]);
  },
);

test('whatever shell or program complains, a person reads one clause', () => {
  const ubuntu = '/bin/bash: line 3: warning\nbwrap: setting up uid map: Permission denied';
  assert.deepEqual(
    [ubuntu, 'unshare: unshare failed: Operation not permitted', '/bin/sh: line 1: mount: not here.\n'].map(explainComplaint),
    [...Array.from({ length: 2 }, () => 'this machine does not let ordinary users make user namespaces'), 'mount: not here'],
  );
});

test('a sandbox that is named is the one auto would choose, by who is there', { skip: here.ok ? false : here.why }, async () => {
  for (const [platform, profile] of [
    ['cli', 'attended'],
    ['telegram', 'unattended'],
  ] as const) {
    const { terminal } = await open(platform, 'sandbox');
    await using _ = terminal;
    await terminal.ready?.();
    assert.deepEqual([terminal.kind, terminal.wall?.profile], ['sandbox', profile]);
  }
});

test('an owner who named a back end is obeyed, watched or not', async () => {
  const { terminal } = await open('telegram', 'local');
  await using _ = terminal;
  assert.equal(terminal.kind, 'local');
});

test('another machine is given the skills and the long results of this session, and nothing of it changes here', async () => {
  const home = resolveHome({ HERMES_HOME: join(root, 'synced') });
  const there = join(root, 'there');
  const files = {
    'skills/web/SKILL.md': 'a skill',
    'cache/spillover/s1/call.txt': 'mine',
    'cache/spillover/s2/call.txt': 'private payroll row',
    'cache/clean-texts.json': '{}',
    'cache/mcp/tt.json': '{}',
    'cache/compiled/x': 'code',
  };
  for (const [path, text] of Object.entries(files)) put(join(home.root, path), text);
  mkdirSync(there);
  const options = {
    sources: listSyncSources(home, 's1'),
    lock: join(home.root, 'sync'),
    incoming: join(home.root, 'incoming'),
    force: true,
    notice: () => {},
  };
  const opened = openSync(bashLine(there), there, options);
  await opened.push();
  const sent = readdirSync(join(there, '.hermes'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.deepEqual(sent.map(({ name, parentPath }) => relative(join(there, '.hermes'), join(parentPath, name))).toSorted(), [
    'cache/spillover/s1/call.txt',
    'skills/web/SKILL.md',
  ]);
  for (const path of Object.keys(files)) put(join(there, '.hermes', path), 'changed there');
  await opened.back();
  for (const [path, text] of Object.entries(files)) assert.equal(readFileSync(join(home.root, path), 'utf8'), text, path);
  const waiting = readdirSync(join(home.root, 'incoming'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.deepEqual(
    waiting.map(({ name, parentPath }) => relative(home.root, join(parentPath, name))),
    ['incoming/the-next-room/skills/web/SKILL.md'],
  );
});
const put = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
