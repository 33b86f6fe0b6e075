import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the library that was put beside our Node where the system lacks it; absent where none was needed. */
export function findNodeLibraries(): string | undefined {
  const folder = join(dirname(process.execPath), '..', 'lib');
  return existsSync(join(folder, 'libatomic.so.1')) ? folder : undefined;
}
