import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { randomHex } from '../../src/base/ids.ts';
import type { WireServer } from '../../src/testing/wire-server/index.ts';
import { MAIN } from '../walks/hermes.ts';
import { stage, type Stage } from '../walks/stage.ts';
import { findSchemaProblems, readRecorded, type RecordedLine } from './schema.ts';

/** A home that leads to the server of the test, and the agent as a client starts it, with everything it says written down. */
export interface AcpStage extends Stage {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  recorded(): readonly RecordedLine[];
  /** What was said against the schema; nothing of it may be. */
  problems(): readonly string[];
  /** Messages one side sent, parsed. */
  sent(from: RecordedLine['from']): readonly AcpMessage[];
}
export interface AcpMessage {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
  readonly at: number;
}

/** The proof collects what passed, by the test that made it pass. */
const logFile = (home: string): string => {
  const kept = process.env['HERMES_ACP_LINES'];
  return kept === undefined
    ? join(home, 'acp-lines.jsonl')
    : join(kept, `${basename(process.argv[1] ?? '', '.test.ts')}-${randomHex(8)}.jsonl`);
};

export function acpStage(server: Pick<WireServer, 'url'>, settings: object = {}): AcpStage {
  const model = { default: 'test-model', provider: 'custom', base_url: `${server.url}/v1` };
  const made = stage({ model, auxiliary: { title_generation: { enabled: false } }, ...settings });
  const log = logFile(made.home);
  const recorded = (): readonly RecordedLine[] => (existsSync(log) ? readRecorded(log) : []);
  return {
    ...made,
    command: process.execPath,
    args: [resolve('test/acp/recorder.ts'), log, process.execPath, MAIN, 'acp'],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: made.home,
      HERMES_HOME: made.home,
      TMPDIR: join(made.home, '..', 'tmp'),
    },
    recorded,
    problems: () => findSchemaProblems(recorded()),
    sent: (from) =>
      recorded()
        .filter((line) => line.from === from)
        .map(({ line, at }) => ({ ...(JSON.parse(line) as Omit<AcpMessage, 'at'>), at })),
  };
}
