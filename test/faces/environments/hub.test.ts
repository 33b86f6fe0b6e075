import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findDataset } from '../../../src/faces/environments/datasets/hub.ts';
import { readHarborRows } from '../../../src/faces/environments/harbor/read-rows.ts';
import { closeServer, listenLocally, originOf } from '../../../src/testing/loopback/local-server.ts';

const PARQUET = 'test/fixtures/tasks/two-rows.parquet';
const WISH = { configs: ['python', 'default'], splits: ['train'] };

test('a data set of Hugging Face is downloaded once, whole or not at all; a path comes first', async () => {
  const asked: string[] = [];
  let isTorn = true;
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    asked.push(url);
    const file = (config: string, split: string) => ({
      dataset: 'o/n',
      config,
      split,
      url: `${originOf(server)}/${config}-${split}`,
      size: 1,
    });
    if (url === '/parquet?dataset=o%2Fn')
      response.end(JSON.stringify({ parquet_files: [file('go', 'train'), file('default', 'test'), file('default', 'train')] }));
    else if (url === '/parquet?dataset=o%2Fother')
      response.end(JSON.stringify({ parquet_files: [file('go', 'test'), file('rust', 'test')] }));
    else if (url === '/default-train' && isTorn) {
      response.writeHead(200, { 'content-length': '9999' });
      response.write('PAR1', () => response.destroy());
    } else if (url === '/default-train') response.end(readFileSync(PARQUET));
    else response.writeHead(404).end('no such data set');
  });
  await listenLocally(server);
  const downloads = mkdtempSync(join(tmpdir(), 'hermes-datasets-'));
  const told: string[] = [];
  const find = (named: string) =>
    findDataset(
      named,
      WISH,
      { downloads, signal: new AbortController().signal, notice: (words) => void told.push(words) },
      originOf(server),
    );
  await assert.rejects(find('o/n'), /default-train could not be downloaded.*The same command tries again/);
  isTorn = false;
  const [path = '', ...others] = await find('o/n');
  assert.deepEqual([others, readFileSync(path).equals(readFileSync(PARQUET))], [[], true]);
  assert.deepEqual(readdirSync(join(path, '..')), [path.slice(path.lastIndexOf('/') + 1)]);
  assert.deepEqual(
    (await readHarborRows(path, downloads)).map(({ id }) => id),
    ['count-fruit', 'no-image'],
  );
  await find('o/n');
  assert.equal(asked.filter((url) => url === '/default-train').length, 2, 'it is there, and is not asked for again');
  assert.equal(told.length, 2);
  await assert.rejects(find('o/other'), /has no python or default with train, but go\/test, rust\/test/);
  await assert.rejects(find('o/gone'), /there is no file .*o\/gone, and the data set o\/gone could not be asked for.*404 no such data set/);
  const before = asked.length;
  assert.deepEqual(await find('test/fixtures'), [join(process.cwd(), 'test/fixtures')]);
  assert.deepEqual(await find('data/mine.parquet'), [join(process.cwd(), 'data/mine.parquet')]);
  assert.equal(asked.length, before);
  await closeServer(server);
  rmSync(downloads, { recursive: true });
});
