import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The file to start for a program of the tests: its bundle when the suite made one, else its source. */
export function program(source: string): string {
  const folder = process.env['HERMES_TEST_PROGRAMS'];
  const bundle = folder === undefined ? source : join(folder, relative(process.cwd(), source).replace(/\.ts$/, '.mjs'));
  return existsSync(bundle) ? bundle : source;
}
