import type { Migration } from './migration.ts';

/** A person who is let in is told so where they asked. Codes from before say nothing of it. */
export const pairingPlaces: Migration = { version: 14, sql: `ALTER TABLE pairings ADD COLUMN place TEXT;` };
