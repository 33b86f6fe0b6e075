import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { openBox } from '../../../src/parts/safety/trash/boxes.ts';
import { openTrash } from '../../../src/parts/safety/trash/trash.ts';
import { run } from '../../../src/testing/conformance/terminal-commands.ts';
import { noBubblewrap, noSandbox, openSandboxed } from './sandbox-stage.ts';

async function stage() {
  const whole = join(realpathSync(mkdtempSync(join(tmpdir(), 'hermes-trash-'))), 'trash');
  after(() => rmSync(join(whole, '..'), { recursive: true, force: true }));
  const { terminal, folder } = await openSandboxed({ trash: async (roots) => openBox(whole, roots) });
  const [box = ''] = readdirSync(join(whole, 'boxes'));
  const trash = join(whole, 'boxes', box, 'things');
  const items = () =>
    readdirSync(trash).flatMap((day) => {
      assert.match(day, /^\d{8}$/);
      return readdirSync(join(trash, day))
        .toSorted()
        .map((id) => ({
          place: join(trash, day, id),
          meta: JSON.parse(readFileSync(join(trash, day, id, 'meta.json'), 'utf8')) as unknown,
        }));
    });
  return { terminal, folder, items, whole };
}
const pathsOf = (items: readonly { readonly meta: unknown }[]): string[] =>
  items.map(({ meta }) => String(Reflect.get(Object(meta), 'path'))).toSorted();

describe('rm in a sandbox leaves a copy in the trash', { skip: noSandbox ?? false }, () => {
  test('files, folders and links, with what they were and when', async () => {
    const { terminal, folder, items } = await stage();
    await using _ = terminal;
    mkdirSync(join(folder, 'a b/c'), { recursive: true });
    writeFileSync(join(folder, 'a b/c/deep'), 'deep\n');
    writeFileSync(join(folder, 'quote"and\nline'), 'odd\n', { mode: 0o751 });
    const since = Date.now();
    const { output, exitCode } = await run(terminal, `ln -s 'a b' way; rm -rf 'a b' $'quote"and\\nline' way`);
    assert.deepEqual([output, exitCode], ['', 0]);
    assert.deepEqual(readdirSync(folder), []);
    assert.deepEqual(pathsOf(items()), [join(folder, 'a b'), join(folder, 'quote"and\nline'), join(folder, 'way')]);
    for (const { place, meta } of items()) {
      assert.deepEqual(Object.keys(Object(meta)).toSorted(), ['at', 'bytes', 'path']);
      assert.ok(Number(Reflect.get(Object(meta), 'at')) >= since - 1 && Number(Reflect.get(Object(meta), 'at')) <= Date.now());
      if (pathsOf([{ meta }])[0]?.endsWith('a b') === true) assert.equal(readFileSync(join(place, 'content/c/deep'), 'utf8'), 'deep\n');
    }
  });

  test('rm says and does what it always did', async () => {
    const { terminal, folder, items } = await stage();
    await using _ = terminal;
    const table: readonly (readonly [command: string, exitCode: number, output: RegExp])[] = [
      ['rm none', 1, /cannot remove 'none': No such file/],
      ['rm -f none', 0, /^$/],
      ['mkdir d; rm d', 1, /'d': Is a directory/],
      ['touch d/x; rm -d d', 1, /'d': Directory not empty/],
      ['rm -v d/x', 0, /removed 'd\/x'/],
      ['rm -d d', 0, /^$/],
      ['rm', 1, /missing operand/],
      ['rm --nonsense', 1, /unrecognized option/],
      ['rm --version', 0, /rm/],
      ['touch -- -dash; rm -- -dash', 0, /^$/],
      ['touch y; echo n | rm -i y; ls y', 0, /y$/],
      ['rm -r .', 1, /refusing to remove/],
      ['rm -r /usr/bin/env', 1, /cannot remove/],
    ];
    for (const [command, exitCode, output] of table) {
      const result = await run(terminal, command);
      assert.equal(result.exitCode, exitCode, command);
      assert.match(result.output.trim(), output, command);
    }
    assert.deepEqual(pathsOf(items()), [join(folder, '-dash'), join(folder, 'd'), join(folder, 'd/x')]);
  });

  test('what is too large, or private to the sandbox, is deleted for good', async () => {
    const { terminal, folder, items } = await stage();
    await using _ = terminal;
    await run(terminal, 'truncate -s 70M big; head -c 70000000 /dev/zero > full; echo x > /tmp/note; rm big full /tmp/note');
    assert.deepEqual([readdirSync(folder), items()], [[], []]);
  });

  test(
    'all that is seen of the trash is a folder of its own; the trash reads it, and brings back what was deleted',
    { skip: noBubblewrap },
    async () => {
      const { terminal, folder, whole } = await stage();
      await using _ = terminal;
      const trash = openTrash(whole, { keepMs: 86_400_000, maxBytes: 1_000_000 });
      writeFileSync(join(whole, '../letter'), 'dear\n');
      const ours = await trash.put(join(whole, '../letter'), 'patch');
      const { output } = await run(
        terminal,
        'echo two > b; mkdir -p a/d; echo one > a/d/f; rm -r a b; find /run/hermes/trash -name meta.json | wc -l',
      );
      assert.equal(output.trim(), '2', 'nothing of ours');
      assert.equal((await run(terminal, `ls ${whole} /run/hermes/trash/../box.json`)).exitCode, 2);
      const rows = trash.list();
      assert.deepEqual(pathsOf(rows.map((meta) => ({ meta }))), [join(folder, 'a'), join(folder, 'b'), ours.path].toSorted());
      for (const { id, path } of rows) assert.equal(await trash.restore(id), path);
      assert.deepEqual([readFileSync(join(folder, 'a/d/f'), 'utf8'), readFileSync(join(folder, 'b'), 'utf8')], ['one\n', 'two\n']);
      assert.deepEqual(trash.list(), []);
      await terminal[Symbol.asyncDispose]();
      assert.deepEqual(readdirSync(join(whole, 'boxes')), [], 'a box that holds nothing goes with its sandbox');
    },
  );

  test('without a trash there is no other rm', async () => {
    const { terminal } = await openSandboxed();
    await using _ = terminal;
    assert.doesNotMatch((await run(terminal, 'command -v rm')).output, /hermes/);
    assert.equal(existsSync('/run/hermes/trash'), false);
  });
});
