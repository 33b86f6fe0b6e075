import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { UsageError } from '../../../../src/base/errors.ts';
import { openBox } from '../../../../src/parts/safety/trash/boxes.ts';
import { openTrash, type TrashLimits } from '../../../../src/parts/safety/trash/trash.ts';

const DAY = 86_400_000;
const LIMITS: TrashLimits = { keepMs: 7 * DAY, maxBytes: 1_000_000 };
const noBoxes = process.platform === 'linux' ? false : 'only Linux has sandboxes';

/** A trash, a workspace, something of the owner's, and a box whose sandbox writes what it likes. */
function stage(limits = LIMITS, now?: () => number) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-boxes-')));
  after(() => {
    spawnSync('chmod', ['-R', 'u+rwx', top]);
    rmSync(top, { recursive: true, force: true });
  });
  const workspace = join(top, 'work');
  mkdirSync(join(top, 'owner'));
  mkdirSync(workspace);
  writeFileSync(join(top, 'owner', 'letter'), 'dear\n');
  const folder = join(top, 'trash');
  const open = () => writer(openBox(folder, [workspace]));
  return { top, workspace, folder, trash: openTrash(folder, limits, now), open, box: open() };
}

/** What a sandbox can do in its box. */
function writer({ folder, close }: ReturnType<typeof openBox>) {
  const place = (id: string, day = '20270101') => join(folder, day, id);
  const put = (id: string, meta: unknown, content: string | (() => void) = 'x', day = '20270101') => {
    mkdirSync(place(id, day), { recursive: true });
    writeFileSync(join(place(id, day), 'meta.json'), typeof meta === 'string' ? meta : JSON.stringify(meta));
    if (typeof content === 'string') writeFileSync(join(place(id, day), 'content'), content);
    else content();
    return place(id, day);
  };
  return { folder, name: dirname(folder).split('/').at(-1) ?? '', place, put, close };
}

describe('the trash believes nothing a sandbox says beyond what it could have done', { skip: noBoxes }, () => {
  test('only a path where it may write, in a place that is whole, is listed', () => {
    const { trash, top, workspace, box } = stage();
    const meta = (path: string) => ({ path, at: 1_000, bytes: 1 });
    const forged: Readonly<Record<string, unknown>> = {
      outside: meta(join(top, 'owner/.bashrc')),
      itself: meta(workspace),
      above: meta(`${workspace}/../owner/x`),
      sister: meta(`${workspace}-other/x`),
      relative: meta('x'),
      empty: meta(''),
      zero: meta(`${workspace}/a\0b`),
      noTime: { path: join(workspace, 'x') },
      noJson: '{',
      long: { ...meta(join(workspace, 'x')), more: 'y'.repeat(20_000) },
    };
    for (const [id, words] of Object.entries(forged)) box.put(id, words);
    box.put('noContent', meta(join(workspace, 'x')), () => {});
    box.put('odd\u001b[2Jname', meta(join(workspace, 'x')));
    const linked = box.put('linked', meta(join(workspace, 'x')));
    rmSync(join(linked, 'meta.json'));
    writeFileSync(join(top, 'owner/meta'), JSON.stringify(meta(join(workspace, 'x'))));
    symlinkSync(join(top, 'owner/meta'), join(linked, 'meta.json'));
    const piped = box.put('piped', meta(join(workspace, 'x')));
    rmSync(join(piped, 'meta.json'));
    assert.equal(spawnSync('mkfifo', [join(piped, 'meta.json')]).status, 0);
    box.put('fine', meta(join(workspace, 'deep/x')));
    symlinkSync(box.place('fine'), box.place('way'));
    symlinkSync(dirname(box.place('fine')), join(box.folder, '20270102'));
    assert.deepEqual(trash.list(), [{ id: `${box.name}.fine`, path: join(workspace, 'deep/x'), at: 1_000, bytes: 1 }]);
  });

  test('its size is measured, its time has been, and who took it away is not its word', async () => {
    const { trash, workspace, box } = stage();
    box.put('a', { path: join(workspace, 'a'), at: 9e15, bytes: -9e15, by: 'patch' }, 'four');
    const [row, ...others] = trash.list();
    assert.deepEqual([others.length, row?.bytes, row?.by], [0, 4, undefined]);
    assert.ok((row?.at ?? 0) <= Date.now());
    assert.deepEqual(await trash.empty(), { things: 1, bytes: 4 });
  });

  test('nothing is brought back over a link of the workspace, nor a link’s contents', async () => {
    const { trash, top, workspace, box } = stage();
    symlinkSync(join(top, 'owner'), join(workspace, 'sub'));
    box.put('evil', { path: join(workspace, 'sub/start.sh'), at: 1, bytes: 1 });
    await assert.rejects(
      trash.restore('evil'),
      (error) => error instanceof UsageError && /blocked by a file or a link/.test(error.message),
    );
    await assert.rejects(trash.restore('evil', join(top, 'owner/letter')), /is not overwritten/);
    assert.deepEqual(readdirSync(join(top, 'owner')), ['letter']);
    box.put('links', { path: join(workspace, 'new/folder'), at: 1, bytes: 1 }, () => {
      mkdirSync(join(box.place('links'), 'content/in'), { recursive: true });
      symlinkSync(join(top, 'owner'), join(box.place('links'), 'content/in/way'));
    });
    assert.equal(await trash.restore('links'), join(workspace, 'new/folder'));
    assert.equal(readlinkSync(join(workspace, 'new/folder/in/way')), join(top, 'owner'));
    assert.ok(lstatSync(join(workspace, 'new/folder/in/way')).isSymbolicLink());
    box.put(
      'pipe',
      { path: join(workspace, 'pipe'), at: 1, bytes: 1 },
      () => void spawnSync('mkfifo', [join(box.place('pipe'), 'content')]),
    );
    await assert.rejects(trash.restore('pipe'), /a pipe or a device/);
    assert.deepEqual(readdirSync(workspace).toSorted(), ['new', 'sub']);
  });

  test('what comes back is a copy, with its modes and times: a second name in the box has no part in it', async () => {
    const { trash, top, workspace, box } = stage();
    const place = box.put('a', { path: join(workspace, 'a'), at: 1, bytes: 1 }, () => {
      mkdirSync(join(box.place('a'), 'content/bin'), { recursive: true });
      writeFileSync(join(box.place('a'), 'content/bin/run'), 'good\n');
      chmodSync(join(box.place('a'), 'content/bin/run'), 0o750);
      utimesSync(join(box.place('a'), 'content/bin/run'), 1_000_000, 1_000_000);
      chmodSync(join(box.place('a'), 'content/bin'), 0o555);
    });
    linkSync(join(place, 'content/bin/run'), join(box.folder, 'second'));
    const to = join(top, 'owner', 'kept');
    assert.equal(await trash.restore('a', to), to);
    appendFileSync(join(box.folder, 'second'), 'evil\n');
    assert.equal(readFileSync(join(to, 'bin/run'), 'utf8'), 'good\n');
    const { mode, mtimeMs } = lstatSync(join(to, 'bin/run'));
    assert.deepEqual([mode & 0o777, mtimeMs, lstatSync(join(to, 'bin')).mode & 0o777], [0o750, 1_000_000_000, 0o555]);
    assert.deepEqual([trash.list(), existsSync(place)], [[], false]);
  });

  test('ids of the trash cannot be taken by a box', async () => {
    const { trash, top, workspace, box } = stage();
    writeFileSync(join(top, 'mine'), 'mine\n');
    const { id } = await trash.put(join(top, 'mine'), 'patch');
    box.put(id, { path: join(workspace, 'theirs'), at: 1, bytes: 1 });
    assert.equal(await trash.restore(id), join(top, 'mine'));
    assert.equal(await trash.restore(`${box.name}.${id}`), join(workspace, 'theirs'));
  });

  test('however much a box holds, neither ours nor another’s is pushed out by it', async () => {
    const now = Date.now() + 2 * DAY;
    const { trash, top, workspace, box, open } = stage({ keepMs: 7 * DAY, maxBytes: 1_000 }, () => now);
    const other = open();
    writeFileSync(join(top, 'mine'), 'm'.repeat(300));
    await trash.put(join(top, 'mine'), 'patch');
    const since = Date.now() - 1_000;
    other.put('small', { path: join(workspace, 'small'), at: since, bytes: 1 }, 's'.repeat(200));
    for (const id of ['one', 'two', 'three'])
      box.put(id, { path: join(workspace, id), at: since + ['one', 'two', 'three'].indexOf(id), bytes: 0 }, 'b'.repeat(400));
    assert.equal(await trash.prune(), 2);
    assert.deepEqual(
      trash.list().map(({ path }) => path),
      [join(top, 'mine'), join(workspace, 'three'), join(workspace, 'small')],
    );
  });

  test('what goes is gone whatever is in it: folders nobody may enter, very deep ones, and links that lead to the owner’s', async () => {
    const now = Date.now() + 8 * DAY;
    const { trash, top, workspace, folder, box } = stage(LIMITS, () => now);
    const since = Date.now();
    box.put('shut', { path: join(workspace, 'shut'), at: since, bytes: 0 }, () => {
      mkdirSync(join(box.place('shut'), 'content/in'), { recursive: true });
      writeFileSync(join(box.place('shut'), 'content/in/file'), 'x');
      symlinkSync(join(top, 'owner'), join(box.place('shut'), 'content/way'));
      chmodSync(join(box.place('shut'), 'content/in'), 0o000);
      chmodSync(join(box.place('shut'), 'content'), 0o555);
    });
    box.put('deep', { path: join(workspace, 'deep'), at: since, bytes: 0 }, () => {
      const script = 'mkdir content; cd content; n=${0//?/aaaaa}; for i in {1..60}; do mkdir $n; cd $n; done; echo x >end';
      assert.equal(spawnSync('/bin/bash', ['-c', script, 'a name of five times this'], { cwd: box.place('deep') }).status, 0);
    });
    assert.equal(await trash.prune(), 2);
    assert.deepEqual([trash.list(), readdirSync(join(folder, 'going'))], [[], []]);
    assert.equal(readFileSync(join(top, 'owner/letter'), 'utf8'), 'dear\n');
  });

  test('a sandbox that swaps folders for links while the trash is tidied up leads it nowhere', async () => {
    const { trash, top, workspace, box } = stage();
    for (const name of ['a', 'b', 'c']) {
      mkdirSync(join(top, 'owner', name));
      writeFileSync(join(top, 'owner', name, 'content'), 'dear\n');
      writeFileSync(join(top, 'owner', name, 'meta.json'), JSON.stringify({ path: join(workspace, name), at: 1, bytes: 1 }));
    }
    const script = `while :; do mkdir -p 20270101/a 20270101/b 20270101/c; for i in a b c; do echo '{"path":"${workspace}/'$i'","at":1}' >20270101/$i/meta.json; echo x >20270101/$i/content; done; mv 20270101 away; ln -s ${join(top, 'owner')} 20270101; rm 20270101; rm -rf away; done 2>/dev/null`;
    const swapping = spawn('/bin/bash', ['-c', script], { cwd: box.folder, stdio: 'ignore' });
    try {
      for (const until = Date.now() + 1_500; Date.now() < until;) {
        await trash.prune();
        await trash.restore('a').catch(() => undefined);
        await trash.empty();
      }
    } finally {
      swapping.kill('SIGKILL');
    }
    for (const name of ['a', 'b', 'c']) assert.equal(readFileSync(join(top, 'owner', name, 'content'), 'utf8'), 'dear\n');
  });
});

test('boxes come and go: an empty one with its sandbox, a left one when its things have gone', { skip: noBoxes }, async () => {
  let now = Date.now();
  const { trash, workspace, folder, box, open } = stage(LIMITS, () => now);
  const boxes = () => readdirSync(join(folder, 'boxes'));
  const empty = open();
  mkdirSync(join(empty.folder, '20270101'));
  empty.close();
  assert.deepEqual(boxes(), [box.name]);
  box.put('a', { path: join(workspace, 'a'), at: now, bytes: 1 });
  writeFileSync(join(box.folder, 'junk'), 'not deleted by anybody');
  box.close();
  await trash.prune();
  assert.deepEqual(boxes(), [box.name], 'it holds something');
  const about = join(folder, 'boxes', box.name, 'box.json');
  writeFileSync(about, readFileSync(about, 'utf8').replace(/"started":"[^"]*"/, '"started":"another time"'));
  await trash.prune();
  assert.deepEqual(boxes(), [box.name], 'also when its sandbox was killed');
  now += 8 * DAY;
  await trash.prune();
  assert.deepEqual(boxes(), []);
  const cut = join(folder, 'boxes', 'b_cut');
  mkdirSync(cut);
  utimesSync(cut, now / 1_000, now / 1_000);
  await trash.prune();
  assert.deepEqual(boxes(), ['b_cut'], 'somebody may just be making it');
  now += 8 * DAY;
  await trash.prune();
  assert.deepEqual(boxes(), []);
});
