/** Programs that tests start over and over, each made one file: to load a bundle takes half the processor time of its sources. */
import { rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { bundleProgram } from '../proofs/bundle-program.ts';

const PROGRAMS = [
  'test/parts/memory/writer',
  'test/parts/safety/checkpoints/killed',
  'test/parts/safety/checkpoints/worker',
  'test/parts/safety/trash/killed',
  'test/parts/skills/manage-child',
  'test/parts/store/writer',
];

/** Those that are most of the program itself, with packages and tables. */
const WHOLE_PROGRAMS = [
  'test/app/memory/talker',
  'test/faces/cron/kill/program',
  'test/faces/gateway/kill/program',
  'test/faces/serve/api/kill/program',
];

/** Gives the folder they are in, where `test/program.ts` looks. */
export async function bundlePrograms(): Promise<string> {
  const folder = resolve('.cache/test-programs');
  rmSync(folder, { recursive: true, force: true });
  const input = Object.fromEntries(PROGRAMS.map((name) => [name, `${name}.ts`]));
  const bundle = await rolldown({ input, platform: 'node', external: [/^node:/], logLevel: 'warn' });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: join('chunks', '[name]-[hash].mjs') });
  for (const name of WHOLE_PROGRAMS)
    await bundleProgram({ source: `${name}.ts`, folder: join(folder, dirname(name)), name: basename(name) });
  return folder;
}
