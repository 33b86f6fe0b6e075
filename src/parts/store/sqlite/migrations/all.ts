import { log } from './001-log.ts';
import { search } from './002-search.ts';
import { messages } from './003-messages.ts';
import { activity } from './004-activity.ts';
import { gateway } from './005-gateway.ts';
import { questions } from './006-questions.ts';
import { processes } from './007-processes.ts';
import { accountsAndMoves } from './008-accounts-and-moves.ts';
import { runs } from './009-runs.ts';
import { jobs } from './010-jobs.ts';
import { memoryCursors } from './011-memory-cursors.ts';
import { replyWindows } from './012-reply-windows.ts';
import { expiringCursors } from './013-expiring-cursors.ts';
import { pairingPlaces } from './014-pairing-places.ts';
import { space } from './015-space.ts';
import type { Migration } from './migration.ts';

/** In order; a new one gets the next number and a line here. */
export const MIGRATIONS: readonly Migration[] = [
  log,
  search,
  messages,
  activity,
  gateway,
  questions,
  processes,
  accountsAndMoves,
  runs,
  jobs,
  memoryCursors,
  replyWindows,
  expiringCursors,
  pairingPlaces,
  space,
];
export const NEWEST_VERSION: number = MIGRATIONS.at(-1)?.version ?? 0;
