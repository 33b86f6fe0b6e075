import type { Migration } from './migration.ts';

/** Deliveries that a service takes only once somebody wrote in their chat again. */
export const replyWindows: Migration = {
  version: 12,
  sql: `
ALTER TABLE deliveries ADD COLUMN or_heard INTEGER NOT NULL DEFAULT 0;
CREATE INDEX deliveries_or_heard ON deliveries (platform, account, chat) WHERE or_heard = 1;
`,
};
