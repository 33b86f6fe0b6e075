/** Files that share a process: each batch is a program that imports them one after the other, which registers their tests. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const FOLDER = '.cache/test-batches';
const FILES_IN_BATCH = 40;

export function writeBatches(files: readonly string[]): string[] {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const count = Math.ceil(files.length / FILES_IN_BATCH);
  // Neighbors are alike: dealt out, no batch has all the long ones.
  return Array.from({ length: count }, (_, batch) => {
    const path = join(FOLDER, `batch-${batch + 1}.ts`);
    const own = files.filter((_file, index) => index % count === batch);
    writeFileSync(path, own.map((file) => `import ${JSON.stringify(pathToFileURL(resolve(file)).href)};\n`).join(''));
    return path;
  });
}
