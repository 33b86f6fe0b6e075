import assert from 'node:assert/strict';
import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { bench, dice, stateOf, tempFolder, type Bench } from './setup.ts';

const NAMES = ['a.txt', 'b.txt', 'sub/c.txt', 'sub/deep/d.txt', 'other/e.txt', 'sub', 'other'];
const FILE_MODES = [0o644, 0o600, 0o755, 0o664];
const FOLDER_MODES = [0o755, 0o700, 0o775];

type Dice = ReturnType<typeof dice>;
const pick = <Item>(items: readonly Item[], roll: Dice): Item => items[roll(items.length)] as Item;
const look = (path: string) => {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};

/** What a command may do to a folder, by chance; what cannot be done is not done. */
function mutate(work: string, roll: Dice): void {
  const [one, two] = [join(work, pick(NAMES, roll)), join(work, pick(NAMES, roll))];
  const actions = [
    () => (mkdirSync(dirname(one), { recursive: true }), writeFileSync(one, `text ${roll(1_000_000)}`)),
    () => (mkdirSync(dirname(one), { recursive: true }), writeFileSync(one, `text ${roll(4)}`)),
    () => rmSync(one, { recursive: true, force: true }),
    () => (mkdirSync(dirname(two), { recursive: true }), renameSync(one, two)),
    () => chmodSync(one, look(one)?.isDirectory() === true ? pick(FOLDER_MODES, roll) : pick(FILE_MODES, roll)),
    () => mkdirSync(one),
    () => symlinkSync(pick(['a.txt', '../outside', '/etc/hostname', 'nowhere'], roll), one),
  ];
  try {
    // A link must not lead a write out of the folder.
    if (look(one)?.isSymbolicLink() === true) rmSync(one);
    pick(actions, roll)();
  } catch {}
}

/** As write_file and patch do: files are replaced whole, deletions take files only. */
function edit(work: string, path: string, roll: Dice): void {
  const target = join(work, path);
  const found = look(target);
  if (found?.isDirectory() === true || found?.isSymbolicLink() === true) return;
  try {
    if (roll(3) === 0) return rmSync(target, { force: true });
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, `edited ${roll(1_000_000)}`);
  } catch {}
}

async function act(here: Bench, roll: Dice, turnId: string): Promise<void> {
  if (roll(2) === 0) {
    const paths = Array.from({ length: 1 + roll(3) }, () => pick(NAMES, roll)).filter(
      (path) => look(join(here.work, path))?.isDirectory() !== true,
    );
    await here.tool(paths, () => paths.forEach((path) => edit(here.work, path, roll)), turnId);
  } else await here.command(pick(['make', 'rm x'], roll), () => Array.from({ length: 1 + roll(4) }, () => mutate(here.work, roll)), turnId);
}

for (const seed of Array.from({ length: 16 }, (_, index) => index + 1))
  test(`whatever was done, a rollback ends in the exact bytes, modes and links (seed ${seed})`, async () => {
    const roll = dice(seed * 7_919);
    // A rollback and the next call are never in the same millisecond, however fast the disk.
    let moment = Date.now();
    const here = bench(tempFolder(), { now: () => (moment += 10) });
    /** The state before each checkpoint, by its id. */
    const before = new Map<string, Record<string, string>>();
    let rollbacks = 0;
    for (let step = 0; step < 40; step++) {
      const state = stateOf(here.work);
      const groups = here.list();
      if (groups.length > 0 && roll(4) === 0) {
        const number = 1 + roll(groups.length);
        const fates = await here.back(number);
        const odd = fates.filter(({ fate }) => fate !== 'restored' && fate !== 'removed');
        assert.deepEqual(odd, [], `step ${step}, rollback ${number}`);
        assert.deepEqual(stateOf(here.work), before.get(groups[number - 1]?.head.id ?? ''), `step ${step}, rollback ${number}`);
        rollbacks++;
      } else await act(here, roll, `t${Math.floor(step / 4)}`);
      const newest = here.list()[0]?.head.id;
      if (newest !== undefined && !before.has(newest)) before.set(newest, state);
    }
    assert.ok(rollbacks > 0 && before.size > 5, 'the dice gave the test something to do');
    assert.deepEqual(readdirSync(here.top).toSorted(), ['home', 'work'], 'nothing was written elsewhere');
  });
