import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { refreshBundle } from '../scripts/suite/bundle.ts';

/** A copy of what is built of the sources as they are now, without what runs of it have left there. */
export function copyBuilt(into: string): void {
  refreshBundle();
  cpSync('dist', into, { recursive: true, filter: (path) => path !== join('dist', 'cache') });
}
