/** Programs that are several test files each: whatever is imported registers its tests, which run one after the other. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** As many as keep the processors busy to the end; more would load the same sources again. */
const PROGRAMS = 3;

/** Writes them into a folder of the cache and gives their paths. */
export function writeSharedPrograms(files: readonly string[]): string[] {
  const folder = resolve('.cache/shared-tests');
  mkdirSync(folder, { recursive: true });
  return Array.from({ length: Math.min(PROGRAMS, files.length) }, (_, number) => {
    const imports = files
      .toSorted()
      .flatMap((file, at) => (at % PROGRAMS === number ? [`await import('${pathToFileURL(resolve(file)).href}');\n`] : []));
    const path = resolve(folder, `shared-${number + 1}.mjs`);
    writeFileSync(path, imports.join(''));
    return relative(process.cwd(), path);
  });
}
