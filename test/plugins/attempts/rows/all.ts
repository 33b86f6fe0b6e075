import type { Attempt } from '../row.ts';
import { ARCHIVE_ATTEMPTS } from './archives.ts';
import { CHANNEL_ATTEMPTS } from './channel.ts';
import { DECLARATION_ATTEMPTS } from './declarations.ts';
import { EXAMPLES } from './examples.ts';
import { FILE_ATTEMPTS } from './files.ts';
import { HOOK_WORD_ATTEMPTS } from './hook-words.ts';
import { NAME_ATTEMPTS } from './names.ts';
import { NETWORK_ATTEMPTS } from './network.ts';
import { NODE_HOLES } from './node-holes.ts';
import { OWN_FOLDER_ATTEMPTS } from './own-folder.ts';
import { PROCESS_ATTEMPTS } from './processes.ts';
import { RUNTIME_ATTEMPTS } from './runtime.ts';
import { STARVING_ATTEMPTS } from './starve.ts';

/** Every row there is; a file of rows adds its line here. */
export const ATTEMPTS: readonly Attempt[] = [
  ...EXAMPLES,
  ...NODE_HOLES,
  ...FILE_ATTEMPTS,
  ...OWN_FOLDER_ATTEMPTS,
  ...PROCESS_ATTEMPTS,
  ...NETWORK_ATTEMPTS,
  ...RUNTIME_ATTEMPTS,
  ...STARVING_ATTEMPTS,
  ...CHANNEL_ATTEMPTS,
  ...DECLARATION_ATTEMPTS,
  ...NAME_ATTEMPTS,
  ...ARCHIVE_ATTEMPTS,
  ...HOOK_WORD_ATTEMPTS,
];

/** One of each kind that needs a process of its own, which takes a fifth of a second. */
const some = (rows: readonly Attempt[]): readonly Attempt[] => rows.filter((_row, index) => index % 7 === 0);
/** What the suite runs: those that share a process, and a part of the others. The proof runs all. */
export const SUITE_ATTEMPTS: readonly Attempt[] = [
  ...EXAMPLES,
  ...HOOK_WORD_ATTEMPTS,
  ...[NODE_HOLES, FILE_ATTEMPTS, OWN_FOLDER_ATTEMPTS, PROCESS_ATTEMPTS, NETWORK_ATTEMPTS].flatMap((rows) =>
    rows.filter((row) => row.process !== 'own'),
  ),
  ...[RUNTIME_ATTEMPTS, CHANNEL_ATTEMPTS, DECLARATION_ATTEMPTS, NAME_ATTEMPTS, ARCHIVE_ATTEMPTS].flatMap(some),
];
