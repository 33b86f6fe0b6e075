import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, lchownSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { parseJson, readStringAt } from '../../../src/base/json.ts';
import type { Terminal } from '../../../src/contracts/terminal.ts';
import { retryUntil, run } from '../../../src/testing/conformance/terminal-commands.ts';
import { THEMES } from './escape/themes.ts';
import { makeGround } from './escape/world.ts';
import { floor, noBubblewrap, openSandboxed, tiers } from './sandbox-stage.ts';

/** Who tries: root and somebody ordinary where we may become that, else whoever we are. */
const USERS: Readonly<Record<string, number | undefined>> =
  process.getuid?.() === 0 ? { root: 0, 'an ordinary user': 65_534 } : { 'an ordinary user': undefined };
const ATTEMPTS = join(import.meta.dirname, 'escape', 'run-attempts.ts');
/** Every fourth attempt is tried, behind one of the walls, as one of the users; all, behind both and as both, by `npm run prove -- wall`. */
const inFull = process.env['HERMES_ESCAPES'] === 'all';
/** Attempts that come off as things are, and why; listed in docs/proofs/wall.md. */
const OPEN: Readonly<Record<string, string>> = {
  'lie in wait for a socket where there was none':
    'a socket that appears in a shown folder of the home which held none is covered with the next command, not while a process in the background runs',
};
type Tier = 'bubblewrap' | 'floor';
/** What only one tier has, or leaves. */
const OPEN_ON: Readonly<Record<Tier, Readonly<Record<string, string>>>> = {
  bubblewrap: OPEN,
  floor: {
    'see the processes of the host': 'without a process namespace their names and command lines can be seen; nothing can be done to them',
  },
};

interface TriedRow {
  readonly name: string;
  readonly escaped: string | undefined;
  readonly leftOut: string | undefined;
  readonly output: string | undefined;
}

type Profile = 'attended' | 'unattended' | 'none';
/** Most of an attempt is waiting: several processes share the themes, each with a world of its own. */
const LANES = 3;
async function tryAll(how: Profile, uid: number | undefined, tier: Tier = 'bubblewrap'): Promise<readonly TriedRow[]> {
  const lanes = Object.values(Object.groupBy(Object.keys(THEMES), (_, at) => String(at % LANES)));
  return (await Promise.all(lanes.map((themes = []) => tryThemes(how, uid, themes, tier)))).flat();
}

/** Tries some themes in a process of its own, as that user and in a home of that user's. */
async function tryThemes(
  how: Profile,
  uid: number | undefined,
  themes: readonly string[],
  tier: Tier,
  [share, level = ''] = [inFull ? 'all' : 'part'],
): Promise<readonly TriedRow[]> {
  const root = makeGround(realpathSync(tmpdir()));
  if (uid !== undefined) for (const path of [root, join(root, 'home')]) lchownSync(path, uid, uid);
  try {
    const child = spawn(process.execPath, [ATTEMPTS, how, themes.join(), '', share ?? 'all', tier, level], {
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: join(root, 'home'), LANG: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid !== undefined && uid !== 0 && { uid, gid: uid }),
    });
    const [told, complaint]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (piece: Buffer) => told.push(piece));
    child.stderr.on('data', (piece: Buffer) => complaint.push(piece));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    assert.equal(code, 0, Buffer.concat(complaint).toString());
    return Buffer.concat(told).toString().trimEnd().split('\n').map(readRow);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const readRow = (line: string): TriedRow => {
  const row = parseJson(line);
  const at = (name: string) => readStringAt(row, name);
  return { name: `${at('theme')}: ${at('name')}`, escaped: at('escaped'), leftOut: at('leftOut'), output: at('output') };
};

/** Each of the four takes minutes: both profiles and both users are tried. */
const isTried = (profile: string, uid: number | undefined): boolean =>
  inFull || Object.keys(USERS).length === 1 || (profile === 'attended') === (uid !== 0);

for (const { tier } of tiers)
  describe(`no command gets out of the sandbox by ${tier}`, () => {
    for (const [who, uid] of Object.entries(USERS))
      for (const profile of ['attended', 'unattended'] as const)
        test(`${profile}, as ${who}`, { skip: isTried(profile, uid) ? false : 'npm run prove -- wall' }, async (context) => {
          const rows = await tryAll(profile, uid, tier === 'floor' ? tier : 'bubblewrap');
          assert.ok(rows.length >= (inFull ? 150 : 25), `${rows.length} attempts were made`);
          for (const { name, escaped, leftOut, output } of rows) {
            const known = OPEN_ON[tier === 'floor' ? tier : 'bubblewrap'][name.replace(/^[^:]*: /, '')];
            await context.test(name, { skip: leftOut ?? false, ...(known !== undefined && { todo: known }) }, () =>
              assert.equal(escaped, undefined, output ?? ''),
            );
          }
        });
  });

/** What older levels do lose, and that `hermes doctor` says just that, is looked at in `floor.test.ts`. */
describe('nothing comes off by the floor on an older kernel', { skip: 'why' in floor ? floor.why : false }, () => {
  if ('why' in floor) return;
  const themes = inFull ? Object.keys(THEMES) : ['levels'];
  for (let level = 1; level <= floor.level; level++)
    test(`level ${level}`, async () => {
      const rows = await tryThemes('attended', Object.values(USERS).at(-1), themes, 'floor', ['all', String(level)]);
      const known = (name: string): boolean => OPEN_ON.floor[name.replace(/^[^:]*: /, '')] !== undefined;
      assert.deepEqual(
        rows.flatMap(({ name, escaped }) => (escaped === undefined || known(name) ? [] : [name])),
        [],
      );
    });
});

test(
  'what is tried comes off where there is no wall',
  { skip: tiers.length === 0 && 'there is no wall to compare with' },
  async (context) => {
    const rows = await tryAll('none', Object.values(USERS).at(-1));
    assert.ok(rows.length >= (inFull ? 60 : 12), `${rows.length} attempts were made`);
    for (const { name, escaped, leftOut, output } of rows)
      await context.test(name, { skip: leftOut ?? findMissing(output) }, () => assert.notEqual(escaped, undefined, output ?? ''));
  },
);

/** The program an attempt could not be made with. */
const findMissing = (output = ''): string | false => {
  const [, program] = /line \d+: (\S+): (?:command not found|No such file or directory)/.exec(output) ?? [];
  return program !== undefined && `there is no ${program} here`;
};

const SECRET = 'canary-7f3a91c2';
/** A neighbour of the workspace on the host, and a profile. */
const host = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-host-')));
after(() => rmSync(host, { recursive: true, force: true }));
const profile = join(host, 'profile');
for (const folder of ['out', 'profile/skills', 'profile/cache', 'extra/.hermes']) mkdirSync(join(host, folder), { recursive: true });
for (const file of ['out/key', 'profile/.env', 'extra/plain']) writeFileSync(join(host, file), `${SECRET}\n`);
writeFileSync(join(profile, 'skills', 'SKILL.md'), 'a skill\n');
/** Started by the test that needs it: where every test is skipped, the file has ended before a server could listen. */
const listen = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.end(SECRET)).listen(0, '127.0.0.1', () => {
      const at = server.address();
      resolve(typeof at === 'object' && at !== null ? at.port : 0);
    });
    after(() => void server.close());
  });
const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : undefined;

const lines = async (terminal: Terminal, command: string) => (await run(terminal, command)).output.trim();
describe('what is allowed is there', { skip: noBubblewrap ?? false }, () => {
  test('the workspace, named folders, the skills of the profile, and variables of the allow list', async () => {
    const { terminal, folder } = await openSandboxed(
      { profile, paths: [join(host, 'out')], readPaths: [join(host, 'extra')], pass: ['MY_TOKEN'] },
      { MY_TOKEN: 'mine', OTHER_TOKEN: 'x', DOCKER_HOST: 'y' },
    );
    await using _ = terminal;
    assert.equal(await lines(terminal, 'echo made > file; cat file'), 'made');
    assert.equal(readFileSync(join(folder, 'file'), 'utf8'), 'made\n');
    assert.equal(
      await lines(terminal, `cat ${host}/out/key; echo more >> ${host}/out/more; cat ${host}/extra/plain; cat ${profile}/skills/SKILL.md`),
      `${SECRET}\n${SECRET}\na skill`,
    );
    assert.equal(readFileSync(join(host, 'out/more'), 'utf8'), 'more\n');
    assert.match(await lines(terminal, `echo x > ${host}/extra/plain`), /Read-only file system/);
    assert.equal(await lines(terminal, 'echo "$MY_TOKEN|${OTHER_TOKEN-}|${DOCKER_HOST-}"'), 'mine||');
  });

  test('its own /tmp, home and loopback, for all commands of the session and nobody else', async () => {
    const { terminal } = await openSandboxed();
    const { terminal: other } = await openSandboxed();
    await using _ = terminal;
    await using __ = other;
    await run(terminal, 'echo mine > /tmp/note; echo home > ~/note');
    assert.equal(await lines(terminal, 'cat /tmp/note ~/note'), 'mine\nhome');
    assert.match(await lines(other, 'cat /tmp/note ~/note'), /No such file/);
    assert.equal(existsSync('/tmp/note'), false);
    if (python === undefined) return;
    const server = await terminal.start(`${python} -m http.server 8099 --bind 127.0.0.1`, { maxOutput: 10_000 });
    await retryUntil('the server answers a later command', async () =>
      (await lines(terminal, 'exec 9<>/dev/tcp/127.0.0.1/8099 && printf "GET / HTTP/1.0\\r\\n\\r\\n" >&9 && head -1 <&9')).includes(
        '200 OK',
      ),
    );
    assert.doesNotMatch(await lines(other, 'exec 9<>/dev/tcp/127.0.0.1/8099 && echo reached'), /^reached/m);
    await server.kill();
    await server.exited;
    assert.equal(server.status().state, 'exited');
  });

  test('the network, once the owner allows it', async () => {
    const { terminal } = await openSandboxed({ network: true });
    await using _ = terminal;
    assert.equal(await lines(terminal, `exec 9<>/dev/tcp/127.0.0.1/${await listen()} && cat <&9`), SECRET);
  });

  test('no home, no system and no disk as a workspace', async () => {
    const { sandboxTerminal } = await import('../../../src/parts/terminals/sandbox/sandbox.ts');
    for (const cwd of ['/', '/usr', '/etc', tmpdir(), profile, process.env['HOME'] ?? '/root'])
      await assert.rejects(sandboxTerminal({ profile }).open({ cwd, env: {} }), /No sandbox in/, cwd);
    await using terminal = await sandboxTerminal({ profile, instead: join(profile, 'workspace') }).open({ cwd: '/', env: {} });
    assert.equal(terminal.cwd, join(profile, 'workspace'));
    assert.equal(await lines(terminal, 'echo kept > note; cat note'), 'kept');
    assert.equal(readFileSync(join(profile, 'workspace', 'note'), 'utf8'), 'kept\n');
  });
});
