import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { UsageError } from '../../../base/errors.ts';
import { readTar } from '../../../base/read-tar.ts';
import { isWithin } from '../../../base/within.ts';
import { toFileName } from '../datasets/file-name.ts';
import { readRows, type DatasetRow } from '../datasets/rows.ts';
import type { HarborTask } from './read-task.ts';

/** More than any task of the public sets takes, unpacked. */
const MAX_UNPACKED = 500_000_000;

/** Tasks of a data set with a row for each, as Terminal-Bench 2 and TBLite are published. Archives are unpacked below the folder. */
export async function readHarborRows(path: string, folder: string): Promise<readonly HarborTask[]> {
  return (await readRows(path)).map((row) => toHarborTask(row, folder, path));
}

function toHarborTask(row: DatasetRow, folder: string, path: string): HarborTask {
  const text = (key: string): string => (typeof row[key] === 'string' ? row[key] : '');
  const seconds = (key: string): number => (typeof row[key] === 'number' && row[key] > 0 ? row[key] : 600);
  const id = text('task_name');
  if (id === '' || text('instruction') === '') throw new UsageError(`${path}: a row has no task_name or no instruction.`);
  const own = join(folder, toFileName(id));
  const tests = join(own, 'tests');
  mkdirSync(tests, { recursive: true });
  unpack(text('tests_tar'), tests, `the tests of ${id}`);
  if (text('test_sh') !== '') writeFileSync(join(tests, 'test.sh'), text('test_sh'), { mode: 0o755 });
  const environment = join(own, 'environment');
  const hasFiles = unpack(text('environment_tar'), environment, `the environment of ${id}`);
  return {
    id,
    instruction: text('instruction'),
    tests,
    ...(text('category') !== '' && { category: text('category') }),
    ...(text('difficulty') !== '' && { difficulty: text('difficulty') }),
    ...(text('docker_image') !== '' && { image: text('docker_image') }),
    ...(hasFiles && { environment }),
    tags: text('tags') === '' ? [] : text('tags').split(/[,\s]+/),
    agentSeconds: seconds('agent_timeout_sec'),
    verifierSeconds: seconds('test_timeout_sec'),
    cpus: 1,
    memoryMb: 2_048,
    allowInternet: true,
    variables: {},
    verifierVariables: {},
    unsupported: [],
    outputs: [],
  };
}

/** Unpacks base64 of a `.tar.gz`. A name that leads out of the folder, a link or a device stops it. Gives whether there was anything. */
export function unpack(base64: string, folder: string, what: string): boolean {
  if (base64 === '') return false;
  const archive = gunzipSync(Buffer.from(base64, 'base64'), { maxOutputLength: MAX_UNPACKED });
  const files = [...readTar(archive)];
  for (const { path } of files)
    if (path.includes('\0') || path.includes('\\') || path.startsWith('/') || !isWithin(folder, join(folder, path)))
      throw new UsageError(`${what} hold ${JSON.stringify(path.slice(0, 120))}, which lies outside of them. Nothing was written.`);
  for (const { path, bytes, isExecutable } of files) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes, { mode: isExecutable ? 0o755 : 0o644 });
  }
  return files.length > 0;
}
