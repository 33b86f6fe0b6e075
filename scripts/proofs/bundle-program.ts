import { copyFileSync, globSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';

export interface BundleOptions {
  readonly source: string;
  /** Made anew. */
  readonly folder: string;
  /** Of the file to start, without its ending. */
  readonly name: string;
}

/**
 * A program of the kill proofs as few files: it is started thousands of times, and reading a thousand sources takes longer than what it
 * then does. Packages stay where they are. Gives the file to start.
 */
export async function bundleProgram({ source, folder, name }: BundleOptions): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  const bundle = await rolldown({
    input: { [name]: source },
    platform: 'node',
    tsconfig: false,
    external: [/^node:/, /^[a-z@](?![a-z]*:)/],
    transform: { define: { __HERMES_VERSION__: '"0.0.0"', __SCANNER_BUILD__: '"proof"' } },
    logLevel: 'silent',
  });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name]-[hash].mjs' });
  await bundle.close();
  for (const table of globSync('src/**/*.json')) copyFileSync(table, join(folder, 'chunks', basename(table)));
  return join(folder, `${name}.mjs`);
}
