import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
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

export function acpStage(server: Pick<WireServer, 'url'>, settings: object = {}): AcpStage {
  const model = { default: 'test-model', provider: 'custom', base_url: `${server.url}/v1` };
  const made = stage({ model, auxiliary: { title_generation: { enabled: false } }, ...settings });
  const log = join(made.home, 'acp-lines.jsonl');
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
