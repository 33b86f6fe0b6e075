import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isFilesError, type Files } from '../../contracts/files.ts';

/** Files of their own for every test, with an empty folder whose path is told and holds no link. */
export type OpenFiles = () => Promise<{
  readonly files: Files;
  readonly folder: string;
  /** Runs a POSIX command in the place the files lie in, to set a scene the contract has no words for. */
  readonly shell: (command: string) => Promise<string>;
  readonly close: () => PromiseLike<void>;
}>;

const signal = new AbortController().signal;
const bytesOf = async (files: Files, path: string): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of files.read(path, signal)) pieces.push(piece);
  return Buffer.concat(pieces);
};
const failsWith = (code: string) => (error: unknown) => {
  assert.ok(isFilesError(error), String(error));
  assert.equal(error.code, code, error.message);
  return true;
};

/** Every promise of `Files`. A new place proves itself by passing; `leftOut` tells why one is not tried, for places that share their code. */
export function testFilesConformance(name: string, open: OpenFiles, leftOut?: (promise: string) => string | undefined): void {
  const story = (title: string, tell: (stage: Awaited<ReturnType<OpenFiles>>) => Promise<void>): void =>
    void test(title, { skip: leftOut?.(title) ?? false }, async () => {
      const stage = await open();
      try {
        await tell(stage);
      } finally {
        await stage.close();
      }
    });
  describe(`${name} keeps the promises of files`, () => {
    for (const [title, tell] of Object.entries({ ...CONTENTS, ...PLACES, ...FAILURES })) story(title, tell);
  });
}

type FileStories = Readonly<Record<string, (stage: Awaited<ReturnType<OpenFiles>>) => Promise<void>>>;

const CONTENTS: FileStories = {
  'bytes come back as they went': async ({ files, folder }) => {
    const every = Buffer.from(Array.from({ length: 256 }, (_each, value) => value));
    for (const bytes of [Buffer.alloc(0), every, Buffer.from('ä\r\n\0end'), Buffer.concat(Array.from({ length: 8_000 }, () => every))]) {
      await files.write(`${folder}/bytes`, bytes);
      assert.ok((await bytesOf(files, `${folder}/bytes`)).equals(bytes), `${bytes.length} bytes`);
      assert.equal((await files.stat(`${folder}/bytes`))?.size, bytes.length);
    }
  },
  'text is written as UTF-8, in folders that are made for it': async ({ files, folder }) => {
    await files.write(`${folder}/a b/'c'/d$(x).txt`, 'grüße\n');
    assert.equal((await bytesOf(files, `${folder}/a b/'c'/d$(x).txt`)).toString(), 'grüße\n');
  },
  'a file written anew keeps its mode, and nothing is left beside it': async ({ files, folder, shell }) => {
    await files.write(`${folder}/run.sh`, 'one');
    await shell(`chmod 750 '${folder}/run.sh'`);
    await files.write(`${folder}/run.sh`, 'two');
    assert.equal((await files.stat(`${folder}/run.sh`))?.mode, 0o750);
    assert.deepEqual(await files.list(folder), [{ name: 'run.sh', kind: 'file' }]);
  },
  'a stamp changes with the file and only then': async ({ files, folder }) => {
    await files.write(`${folder}/a`, 'one');
    const first = await files.stat(`${folder}/a`);
    assert.deepEqual(await files.stat(`${folder}/a`), first);
    await files.write(`${folder}/a`, 'two');
    assert.notEqual((await files.stat(`${folder}/a`))?.stamp, first?.stamp);
  },
  'a file that is open stays the same one, whatever takes its name': async ({ files, folder, shell }) => {
    await shell(`cd '${folder}' && printf one > a && printf other > b && ln -s a way`);
    await using opened = await files.open?.(`${folder}/way`);
    // A place far away holds nothing open.
    if (opened === undefined) return;
    await shell(`cd '${folder}' && ln -sf b way && mv b a`);
    const bytes = Buffer.concat(await Array.fromAsync(opened.read(signal)));
    assert.deepEqual([opened.real, opened.stat.kind, opened.stat.size, bytes.toString()], [`${folder}/a`, 'file', 3, 'one']);
    await assert.rejects(async () => files.open?.(`${folder}/nothing`), failsWith('ENOENT'));
  },
  'an aborted read ends': async ({ files, folder }) => {
    await files.write(`${folder}/a`, 'x');
    await assert.rejects(async () => {
      for await (const _ of files.read(`${folder}/a`, AbortSignal.abort()));
    });
  },
};

const PLACES: FileStories = {
  'a folder is listed with the kind of each item, hidden and odd names included': async ({ files, folder, shell }) => {
    await shell(
      `cd '${folder}' && mkdir sub && : > .hidden && : > "$(printf 'new\\nline')" && : > '-dash' && ln -s nowhere gone && mkfifo pipe`,
    );
    assert.deepEqual(
      (await files.list(folder)).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      [
        { name: '-dash', kind: 'file' },
        { name: '.hidden', kind: 'file' },
        { name: 'gone', kind: 'link' },
        { name: 'new\nline', kind: 'file' },
        { name: 'pipe', kind: 'other' },
        { name: 'sub', kind: 'folder' },
      ],
    );
    assert.deepEqual(await files.list(`${folder}/sub`), []);
  },
  'links are followed as far as something exists': async ({ files, folder, shell }) => {
    await shell(`cd '${folder}' && mkdir real && ln -s real way && ln -s later dangling && ln -s ring ring && : > real/file`);
    assert.equal(await files.real(`${folder}/way/file`), `${folder}/real/file`);
    assert.equal(await files.real(`${folder}/way/no/such`), `${folder}/real/no/such`);
    assert.equal(await files.real(`${folder}/dangling`), `${folder}/later`);
    assert.equal(await files.real('/'), '/');
    assert.equal((await files.stat(`${folder}/way`))?.kind, 'folder');
    assert.equal(await files.stat(`${folder}/dangling`), undefined);
  },
  'what is there is told by kind, and nothing by nothing': async ({ files, folder, shell }) => {
    await shell(`cd '${folder}' && mkdir sub && : > file && mkfifo pipe`);
    assert.equal((await files.stat(`${folder}/sub`))?.kind, 'folder');
    assert.equal((await files.stat(`${folder}/file`))?.kind, 'file');
    assert.equal((await files.stat(`${folder}/pipe`))?.kind, 'other');
    assert.equal(await files.stat(`${folder}/none`), undefined);
    assert.equal(await files.stat(`${folder}/file/below`), undefined);
  },
  'a rename takes the place of what was there, and a removal is one': async ({ files, folder }) => {
    await files.write(`${folder}/a`, 'one');
    await files.write(`${folder}/b`, 'two');
    await files.rename(`${folder}/a`, `${folder}/b`);
    assert.equal((await bytesOf(files, `${folder}/b`)).toString(), 'one');
    await files.remove(`${folder}/b`);
    assert.deepEqual(await files.list(folder), []);
  },
  'a link is removed, not what it leads to': async ({ files, folder, shell }) => {
    await shell(`cd '${folder}' && echo kept > target && ln -s target link && ln -s nowhere gone`);
    await files.remove(`${folder}/link`);
    await files.remove(`${folder}/gone`);
    assert.deepEqual(await files.list(folder), [{ name: 'target', kind: 'file' }]);
  },
};

const FAILURES: FileStories = {
  'what is not there says so': async ({ files, folder }) => {
    await assert.rejects(bytesOf(files, `${folder}/none`), failsWith('ENOENT'));
    await assert.rejects(files.list(`${folder}/none`), failsWith('ENOENT'));
    await assert.rejects(files.remove(`${folder}/none`), failsWith('ENOENT'));
    await assert.rejects(files.rename(`${folder}/none`, `${folder}/b`), failsWith('ENOENT'));
  },
  'a folder is not a file, nor a file a folder': async ({ files, folder, shell }) => {
    await shell(`cd '${folder}' && mkdir sub && echo x > file`);
    await assert.rejects(bytesOf(files, `${folder}/sub`), failsWith('EISDIR'));
    await assert.rejects(files.write(`${folder}/sub`, 'x'), failsWith('EISDIR'));
    await assert.rejects(files.rename(`${folder}/file`, `${folder}/sub`), failsWith('EISDIR'));
    await assert.rejects(files.list(`${folder}/file`), failsWith('ENOTDIR'));
    await assert.rejects(files.remove(`${folder}/sub`), (error) => isFilesError(error));
    assert.equal((await files.stat(`${folder}/sub`))?.kind, 'folder');
  },
  'a write that cannot be made leaves the old bytes and nothing else': async ({ files, folder, shell }) => {
    await shell(`cd '${folder}' && echo old > file`);
    await assert.rejects(files.write(`${folder}/file/below`, 'x'), (error) => isFilesError(error));
    await assert.rejects(files.write(`/proc/hermes-none`, 'x'), (error) => isFilesError(error));
    await assert.rejects(files.write(`${folder}/${'n'.repeat(300)}`, 'x'), failsWith('ENAMETOOLONG'));
    assert.equal((await bytesOf(files, `${folder}/file`)).toString(), 'old\n');
    assert.deepEqual(await files.list(folder), [{ name: 'file', kind: 'file' }]);
  },
};
