import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';

/** The library as it is shipped; from the sources it would take a second longer to load, for each of thousands of rows. */
const { openHost, resolveHome } = (await import(
  new URL('../../../dist/library/index.js', import.meta.url).href
)) as typeof import('../../../src/index.ts');
const { scriptedProvider, scriptedRoute } = (await import(
  new URL('../../../dist/library/testing.js', import.meta.url).href
)) as typeof import('../../../src/testing/index.ts');

/** One act of the agent in a row of a corpus. */
export type RowStep =
  | { readonly run: string; readonly background?: boolean }
  | { readonly write: string; readonly text: string; readonly mode?: string }
  | { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly say: string };
export interface WorldRow {
  readonly id: string;
  readonly prepare?: string;
  readonly steps: readonly RowStep[];
  readonly later?: string;
  readonly harmed?: string | null;
  readonly check?: string;
  /** Its effect lies in `/tmp`, which commands behind a wall have for themselves: they are the ones to look. */
  readonly checkInside?: true;
}
/** `bare`: the commands as they stand, by a plain shell. `wall`: by the agent, with whatever keeps it in. */
export interface WorldOrder {
  readonly row: WorldRow;
  readonly mode: 'bare' | 'wall';
  /** What the owner says to every question. */
  readonly answer: 'no' | 'yes' | 'session';
  /** Words of somebody else that the session reads before the steps, and where it meets them. */
  readonly foreign?: { readonly text: string; readonly source: string };
  /** Tool servers the owner has connected, by name. */
  readonly servers?: readonly string[];
  /** Everything the agent changed is rolled back afterwards, and the harm looked for once more. */
  readonly rollBack?: true;
  readonly settings?: string;
  /** Registries can be reached. */
  readonly online?: true;
  /** The rows of `test/fixtures/commands` build all they need themselves. */
  readonly plain?: true;
}
export interface WorldResult {
  readonly id: string;
  readonly harmedBefore?: boolean;
  readonly harmed?: boolean;
  /** The same once the owner has rolled back what the agent changed. */
  readonly harmedAfterRollback?: boolean;
  readonly prepared: boolean;
  /** What kept commands in, where any ran. */
  readonly tier?: string;
  readonly steps: readonly StepResult[];
  readonly questions: readonly WorldQuestion[];
  readonly notices?: readonly string[];
  readonly effect?: string;
  readonly trouble?: string;
}
export interface WorldQuestion {
  /** The step it stands before. */
  readonly step: number;
  readonly why: string;
  readonly act: string;
}
export interface StepResult {
  readonly code?: number | null;
  readonly output: string;
  readonly failed?: boolean;
  readonly refused?: boolean;
}

const PROJECT = process.env['PROJECT'] ?? '';
const MCP_STUB = '/mnt/hermes/scripts/proofs/world/mcp-stub.ts';
const STEP_MS = 120_000;
const TURN_MS = 1_000_000;
const sh = (script: string, cwd = PROJECT): { readonly code: number | null; readonly output: string } => {
  const ran = spawnSync('/bin/bash', ['-c', `exec 2>&1\n${script}`], { cwd, encoding: 'utf8', timeout: STEP_MS, maxBuffer: 1 << 24 });
  return { code: ran.status, output: `${ran.stdout}${ran.stderr}` };
};
const place = (path: string): string => resolve(PROJECT, path.replace(/^~(?=\/|$)/, homedir()));

/** The steps as a shell and an editor would do them, with nothing around. */
function runBare(steps: readonly RowStep[]): StepResult[] {
  return steps.flatMap((step): StepResult[] => {
    if ('write' in step) {
      const path = place(step.write);
      try {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, step.text, { mode: step.mode === undefined ? 0o644 : Number.parseInt(step.mode, 8) });
        return [{ code: 0, output: '' }];
      } catch (error) {
        return [{ code: 1, output: String(error) }];
      }
    }
    if (!('run' in step)) return [];
    if (step.background !== true) return [sh(step.run)];
    spawn('/bin/bash', ['-c', step.run], { cwd: PROJECT, detached: true, stdio: 'ignore' }).unref();
    return [{ code: 0, output: '' }];
  });
}

const toCall = (step: RowStep, index: number) => {
  const id = `call_${index}`;
  if ('write' in step) return { id, name: 'write_file', input: { path: place(step.write), content: step.text } };
  // As without an agent, every command begins in the project.
  if ('run' in step)
    return { id, name: 'terminal', input: { command: step.run, workdir: PROJECT, ...(step.background === true && { background: true }) } };
  if ('tool' in step) return { id, name: step.tool, input: step.args as never };
  return undefined;
};

/** The same by the agent: a model that does exactly these steps, and an owner who always says the same. */
async function runByAgent({
  row,
  answer,
  foreign,
  servers = [],
}: WorldOrder): Promise<Pick<WorldResult, 'steps' | 'questions' | 'notices'>> {
  const questions: WorldQuestion[] = [];
  const notices: string[] = [];
  const steps: StepResult[] = [];
  const env = { ...process.env };
  await using host = await openHost({ env, home: resolveHome(env) });
  let next: RowStep[] = [];
  let step: RowStep | undefined;
  const model = scriptedProvider(() => {
    step = next.shift();
    const call = step === undefined ? undefined : toCall(step, steps.length);
    return call === undefined ? { text: 'done' } : { calls: [call] };
  });
  await using session = await host.openSession({
    platform: 'cli',
    cwd: PROJECT,
    provider: scriptedRoute(model),
    mcpServers: Object.fromEntries(
      [...servers, ...(foreign === undefined ? [] : ['inbox'])].map((name) => [
        name,
        { command: process.execPath, args: [MCP_STUB, name] },
      ]),
    ),
    ports: {
      deliver: async (request) => {
        await fetch('http://8.7.6.5:8080/deliver', { method: 'POST', body: JSON.stringify(request) });
        return { ok: true, words: 'Sent.' };
      },
      clarify: async ({ act, question, notes = [], choices }) => {
        questions.push({ step: steps.length, why: notes.join(' | ').slice(0, 400), act: (act ?? question).slice(0, 300) });
        return answer === 'session' ? (choices.find((each) => /session/i.test(each)) ?? 'yes') : answer;
      },
    },
  });
  for (const { said, acts } of toTurns(row.steps, foreign)) {
    next = [...acts];
    for await (const event of session.send(await session.message(said), AbortSignal.timeout(TURN_MS))) {
      if (event.type === 'notice') notices.push(event.text);
      if (event.type !== 'tool_finished') continue;
      const output = event.result.content.map((block) => ('text' in block ? block.text : '')).join('\n');
      const code = event.details !== undefined && 'exitCode' in event.details ? { code: event.details.exitCode } : {};
      steps.push({ output, ...code, failed: event.result.failed, ...(output.startsWith('Not run') && { refused: true }) });
      // The file tool knows no modes; a row that wants one has it, as a command would give it.
      if (step !== undefined && 'write' in step && step.mode !== undefined && existsSync(place(step.write)))
        chmodSync(place(step.write), Number.parseInt(step.mode, 8));
    }
  }
  return { steps, questions, notices };
}

/** What the owner says, and what the agent does about it. */
function toTurns(steps: readonly RowStep[], foreign: WorldOrder['foreign']): { readonly said: string; readonly acts: RowStep[] }[] {
  const turns = [{ said: 'Go on.', acts: foreign === undefined ? [] : [placeForeign(foreign)] }];
  for (const step of steps)
    if ('say' in step) turns.push({ said: step.say, acts: [] });
    else turns.at(-1)?.acts.push(step);
  return turns.filter(({ acts }, index) => index === 0 || acts.length > 0);
}

/** Puts somebody else's words where the agent meets them, and says what it does to read them. */
function placeForeign({ text, source }: { readonly text: string; readonly source: string }): RowStep {
  if (/web/.test(source)) return { tool: 'web_extract', args: { urls: ['http://collect.example/page'] } };
  const file = FOREIGN_FILES.find(([pattern]) => pattern.test(source))?.[1];
  if (file !== undefined) {
    mkdirSync(dirname(place(file)), { recursive: true });
    writeFileSync(place(file), text);
    if (!file.startsWith('~')) sh('git add -A && git commit -qm "notes"');
    return /output|error/.test(source) ? { run: `cat ${file}` } : { tool: 'read_file', args: { path: place(file) } };
  }
  if (!/git/.test(source)) return { tool: 'mcp__inbox__call', args: {} };
  writeFileSync('/tmp/message', text);
  sh('git commit -q --allow-empty -F /tmp/message');
  return { run: 'git log -1' };
}
const FOREIGN_FILES: readonly (readonly [source: RegExp, file: string])[] = [
  [/mail/, '~/Downloads/message.eml'],
  [/pdf/, '~/Downloads/report.txt'],
  [/package/, 'node_modules/tiny/README.md'],
  [/file/, 'docs/notes.md'],
  [/output|error/, 'build.log'],
];

/** What kept commands in, as the session found it and noted for the next one. */
function readTier(): string | undefined {
  const file = `${homedir()}/.hermes/cache/sandbox.json`;
  if (!existsSync(file)) return undefined;
  const { tier } = JSON.parse(readFileSync(file, 'utf8')) as { readonly tier?: string };
  return tier ?? 'none';
}

/** Everything of the agent, as an owner would: to before the oldest checkpoint, whoever changed it since. */
const rollBack = (): string => {
  const hermes = `'${process.execPath}' /mnt/hermes/dist/main.cjs`;
  return sh(
    `last=$(${hermes} checkpoints list --json | jq -r 'last | .id // empty') && [ -z "$last" ] || ${hermes} checkpoints restore "$last" --all`,
  ).output;
};

async function main(orderFile: string, resultFile: string): Promise<void> {
  const order = JSON.parse(readFileSync(orderFile, 'utf8')) as WorldOrder;
  const { row, mode } = order;
  const made = order.plain === true ? { code: 0, output: '' } : sh('bash /mnt/hermes/scripts/proofs/world/home.sh', homedir());
  if (order.settings !== undefined) writeFileSync(`${homedir()}/.hermes/config.yaml`, order.settings);
  const prepared = row.prepare === undefined ? { code: 0, output: '' } : sh(row.prepare);
  const isHarmed = () => (typeof row.harmed === 'string' ? sh(row.harmed).code === 0 : undefined);
  const before = isHarmed();
  let result: WorldResult = {
    id: row.id,
    prepared: made.code === 0 && prepared.code === 0,
    steps: [],
    questions: [],
    ...(before !== undefined && { harmedBefore: before }),
  };
  try {
    const inside = mode === 'wall' && row.checkInside === true && row.check !== undefined ? [{ run: row.check }] : [];
    const acts = { ...order, row: { ...row, steps: [...row.steps, ...inside] } };
    const done = mode === 'bare' ? { steps: runBare(row.steps), questions: [] } : await runByAgent(acts);
    if (process.env['OUT'] !== undefined) writeFileSync(process.env['OUT'], done.steps.map(({ output }) => output).join('\n'));
    if (row.later !== undefined) sh(row.later);
    const harmed = isHarmed();
    const undone = order.rollBack === true && harmed === true && before !== true ? rollBack() : undefined;
    const stillHarmed = undone === undefined ? undefined : isHarmed();
    const tier = readTier();
    result = {
      ...result,
      ...done,
      ...(tier !== undefined && { tier }),
      ...(harmed !== undefined && { harmed }),
      ...(stillHarmed !== undefined && { harmedAfterRollback: stillHarmed, notices: [undone ?? ''] }),
      ...(row.check !== undefined && { effect: inside.length > 0 ? (done.steps.at(-1)?.output ?? '') : sh(row.check).output }),
    };
  } catch (error) {
    result = { ...result, trouble: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  if (!result.prepared) result = { ...result, trouble: `${made.output}\n${prepared.output}` };
  writeFileSync(resultFile, JSON.stringify(result));
}

// A host alone keeps no process alive.
const alive = setInterval(() => {}, 1_000);
const [orderFile, resultFile] = process.argv.slice(2);
if (orderFile !== undefined && resultFile !== undefined) {
  await main(orderFile, resultFile);
  clearInterval(alive);
  process.exit(0);
}
