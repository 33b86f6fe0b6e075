/**
 * What passes between `hermes acp` and its clients: `npm run prove -- acp`. Runs the walks with every line written down, holds
 * each against the schema of protocol version 1 and counts. Writes docs/proofs/acp.md.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { formatCount } from '../../src/base/screen/figures.ts';
import { findSchemaProblems, readRecorded, type RecordedLine } from '../../test/acp/schema.ts';

/** The walks, by whose client they start. */
const WALKS: readonly (readonly [client: string, files: readonly string[]])[] = [
  ['acpx 0.19.1 (npm)', ['acp-acpx']],
  ['agent-client-protocol 0.12.1 (Python)', ['acp-python']],
  ['client of the official SDK', ['acp', 'acp-editor', 'acp-order']],
];
interface ClientCounts {
  readonly client: string;
  readonly agents: number;
  readonly fromClient: number;
  readonly fromAgent: number;
  readonly problems: readonly string[];
  /** How often each method and each kind of update was seen, with `→` from the client and `←` from the agent. */
  readonly seen: ReadonlyMap<string, number>;
  /** Milliseconds from each cancel to the answer of its prompt. */
  readonly cancels: readonly number[];
}

export function proveAcp(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-prove-acp-'));
  try {
    const files = WALKS.flatMap(([, names]) => names.map((name) => `test/walks/${name}.test.ts`));
    const env = { ...process.env, HERMES_ACP_LINES: folder };
    const { status, stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=tap', '--test-concurrency=1', ...files], { env });
    const tests = readTally(String(stdout));
    const counts = WALKS.map(([client, names]) => count(client, names, folder));
    const page = pageOf(counts, tests);
    writeFileSync('docs/proofs/acp.md', page);
    console.log(page);
    if (status !== 0) console.log(String(stdout));
    return status === 0 && tests.skipped === 0 && counts.every(({ problems, agents }) => problems.length === 0 && agents > 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface TestTally {
  readonly passed: number;
  readonly skipped: number;
}
const readTally = (tap: string): TestTally => ({
  passed: Number(/^# pass (\d+)/m.exec(tap)?.[1] ?? 0),
  skipped: Number(/^# skipped (\d+)/m.exec(tap)?.[1] ?? 0),
});

interface WireMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly sessionId?: string; readonly update?: { readonly sessionUpdate: string } };
}

function count(client: string, names: readonly string[], folder: string): ClientCounts {
  const logs = readdirSync(folder)
    .filter((file) => names.includes(file.replace(/-[0-9a-f]+\.jsonl$/, '')))
    .map((file) => readRecorded(join(folder, file)));
  const lines = logs.flat();
  const seen = new Map<string, number>();
  for (const { from, line } of lines) {
    const { method, params } = JSON.parse(line) as WireMessage;
    if (method === undefined) continue;
    const name = `${from === 'client' ? '→' : '←'} ${params?.update === undefined ? method : `update: ${params.update.sessionUpdate}`}`;
    seen.set(name, (seen.get(name) ?? 0) + 1);
  }
  return {
    client,
    agents: seen.get('→ initialize') ?? 0,
    fromClient: lines.filter(({ from }) => from === 'client').length,
    fromAgent: lines.filter(({ from }) => from === 'agent').length,
    problems: logs.flatMap(findSchemaProblems),
    seen,
    cancels: logs.flatMap(measureCancels),
  };
}

/** Ids come again with every agent a client starts, so the last prompt before the cancel is the one that is meant. */
function measureCancels(lines: readonly RecordedLine[]): readonly number[] {
  const messages = lines.map(({ from, at, line }) => ({ from, at, ...(JSON.parse(line) as WireMessage) }));
  return messages.flatMap(({ method, params, at }, index) => {
    if (method !== 'session/cancel') return [];
    const prompt = messages
      .slice(0, index)
      .findLast((each) => each.method === 'session/prompt' && each.params?.sessionId === params?.sessionId);
    const answer = messages.slice(index).find((each) => each.from === 'agent' && each.method === undefined && each.id === prompt?.id);
    return answer === undefined ? [] : [answer.at - at];
  });
}

function pageOf(counts: readonly ClientCounts[], { passed, skipped }: TestTally): string {
  const names = [...new Set(counts.flatMap(({ seen }) => [...seen.keys()]))].toSorted();
  const head = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n|${cells.map(() => '---|').join('')}`;
  const rows = counts.map(
    ({ client, agents, fromClient, fromAgent, problems, cancels }) =>
      `| ${client} | ${agents} | ${fromClient} | ${fromAgent} | ${problems.length} | ${describeCancels(cancels)} |`,
  );
  const methods = names.map((name) => `| \`${name}\` | ${counts.map(({ seen }) => seen.get(name) ?? '–').join(' | ')} |`);
  return `# Editors that others wrote

The walks \`test/walks/acp*.test.ts\` run the built program with three clients, the first two with and without files and terminals of their own. A recorder stands in between, and every message in both directions is held against \`schema/v1/schema.json\` of the official SDK. That the check finds what is wrong is tested with planted messages (\`test/faces/serve/acp/schema-check.test.ts\`). ${passed} tests passed, ${skipped} were skipped.

${head(['Client', 'agents started', 'messages to the agent', 'messages from it', 'against the schema', 'from cancel to answer'])}
${rows.join('\n')}

A cancel that comes together with the first prompt of a fresh agent takes longest: the session is still being opened then.

How often each method and each kind of update was seen (\`→\` to the agent, \`←\` from it):

${head(['Message', ...counts.map(({ client }) => client)])}
${methods.join('\n')}

Run on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB. Repeat with \`npm run prove -- acp\`.
`;
}

function describeCancels(ms: readonly number[]): string {
  const sorted = ms.toSorted((one, other) => one - other);
  return `${formatCount(sorted.length, 'cancel')}, ${sorted[0] ?? 0} to ${sorted.at(-1) ?? 0} ms, median ${sorted[Math.floor(sorted.length / 2)] ?? 0} ms`;
}
