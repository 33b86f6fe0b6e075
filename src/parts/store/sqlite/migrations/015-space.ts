import type { Migration } from './migration.ts';

/**
 * Titles of removed sessions go. A store that gets this version is also written anew, so that it holds nothing of what was removed
 * and can give space back (`rewrite.ts`).
 */
export const space: Migration = { version: 15, sql: 'DELETE FROM indexed_titles WHERE session NOT IN (SELECT n FROM sessions);' };
