import type { Migration } from './migration.ts';

/** Of a text that may be damaged: an index must not fail where reading would tell what is wrong. */
export const pick = (column: 'body' | 'record', path: string): string => `CASE WHEN json_valid(${column}) THEN ${column} ->> '${path}' END`;

/** The tool behind a result: as it was meant, else as it was called. */
export const TOOL = `coalesce(${pick('body', '$.tool')}, ${pick('body', '$.message.name')})`;

/** What activity is counted from, so that neither texts nor records are read for it. */
export const activity: Migration = {
  version: 4,
  sql: `
CREATE INDEX calls_activity ON calls (at, ${['$.runtime.provider', '$.runtime.model', '$.purpose', '$.result', '$.usageEstimated', '$.ms'].map((path) => pick('record', path)).join(', ')},
  input, output, cache_read, cache_write, reasoning, price);
CREATE INDEX entries_tools ON entries (at, session, seq, ${TOOL}, ${pick('body', '$.message.failed')}, ${pick('body', '$.ms')}, origin)
  WHERE origin = 'tool';
CREATE INDEX entries_outcomes ON entries (at, session, seq, ${pick('body', '$.exitReason')}, type) WHERE type = 'outcome';
CREATE INDEX entries_compactions ON entries (at) WHERE type IN ('compaction', 'note');
`,
};
