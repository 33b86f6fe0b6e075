import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { probeFloor } from '../../../src/parts/terminals/sandbox/floor-probe.ts';
import { rememberSandbox } from '../../../src/parts/terminals/sandbox/known.ts';
import type { FloorTools } from '../../../src/parts/terminals/sandbox/tools.ts';
import { startWireServer, type RecordedRequest, type Reply } from '../../../src/testing/wire-server/index.ts';
import { hermes, toServer } from '../../../test/walks/hermes.ts';
import { bodyOf, resultsIn } from '../../../test/walks/stage.ts';
import { HOUR, layOutHour } from './steps.ts';

interface Tier {
  /** Settings `terminal.*`, and variables, by which commands run there. */
  readonly terminal: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** The owner trusts the folder. */
  readonly isTrusted?: true;
  /** How many of the steps must be done; without a number only that the turn comes to all of them. */
  readonly least?: number;
  /** Also where bubblewrap works. */
  readonly isFloor?: true;
}
/** What contains commands. Adding a tier is a row. */
export const TIERS = {
  bubblewrap: { terminal: { backend: 'sandbox' }, least: 27 },
  floor: { terminal: { backend: 'sandbox' }, isFloor: true, least: 27 },
  trust: { terminal: { backend: 'local' }, isTrusted: true, least: 27 },
  none: { terminal: { backend: 'local' } },
} as const satisfies Record<string, Tier>;
export type TierName = keyof typeof TIERS;
const findTier = (name: TierName): Tier => TIERS[name];

/** How the work comes to the agent; nobody is there in any of them. */
export const SITUATIONS = ['one turn', 'a turn each', 'cron with --cwd', 'cron'] as const;
export type Situation = (typeof SITUATIONS)[number];

export interface HourResult {
  readonly tier: TierName;
  readonly situation: Situation;
  /** Steps that were asked for. */
  readonly reached: number;
  readonly done: number;
  readonly holds: boolean;
  /** What was not done, each with the beginning of its result. */
  readonly missing: readonly string[];
}

async function needFloor(): Promise<FloorTools> {
  const floor = await probeFloor('a proof asked for it');
  if ('why' in floor) throw new Error(floor.why);
  return floor;
}

const SAYS_NO = /^Not run|\[exit code [1-9]|^\[?Timed out/m;

/** The hour in a home and a project of its own, by a model that asks for step after step whatever comes back. */
export async function runHour(tier: TierName, situation: Situation): Promise<HourResult> {
  const root = mkdtempSync(join(tmpdir(), 'hermes-hour-'));
  const [home, user, project, remote, tmp] = ['user/.hermes', 'user', 'user/shop', 'user/shop.git', 'tmp'].map((name) => join(root, name));
  if (home === undefined || user === undefined || project === undefined || remote === undefined || tmp === undefined) throw new Error(root);
  for (const folder of [home, project, tmp]) mkdirSync(folder, { recursive: true });
  try {
    layOutHour({ project, remote, home: user });
    const { terminal, env: more, isTrusted, isFloor, least = 0 } = findTier(tier);
    if (isFloor === true) rememberSandbox(home, { ok: true, tools: await needFloor() });
    const cwd = situation === 'cron' ? { cwd: project } : {};
    await using server = await startWireServer({ answer: (request) => nextReply(request, situation) });
    writeFileSync(
      join(home, 'config.yaml'),
      JSON.stringify({
        model: { default: 'test-model', provider: 'custom', base_url: `${server.url}/v1`, api_mode: 'chat_completions' },
        terminal: { ...terminal, ...cwd },
      }),
    );
    const env = { ...more, HOME: user, TMPDIR: tmp, PATH: `${join(user, '.cargo', 'bin')}:${process.env['PATH'] ?? ''}` };
    const run = (args: readonly string[], from = project) => hermes(args, { home, cwd: from, env });
    if (isTrusted === true) await run(['trust', project]);
    const ask = ['chat', '-q', 'Work.', ...toServer(server.url)];
    if (situation === 'one turn') await run(ask);
    else if (situation === 'a turn each') for (const index of HOUR.keys()) await run([...ask, ...(index === 0 ? [] : ['--continue'])]);
    else {
      const at = situation === 'cron' ? [] : ['--cwd', project];
      await run(['cron', 'add', 'every 24h', 'Work.', '--name', 'hour', '--deliver', 'local', ...at]);
      await run(['cron', 'run', 'hour'], user);
    }
    const results = resultsIn(server.requests.at(-1));
    const missing = findMissing(results);
    const done = HOUR.length - missing.length;
    return { tier, situation, reached: results.length, done, holds: results.length === HOUR.length && done >= least, missing };
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The next step; where each is a turn, a word after each result. */
function nextReply(request: RecordedRequest, situation: Situation): Reply {
  const results = resultsIn(request);
  if (situation === 'a turn each' && bodyOf(request).messages.at(-1)?.role === 'tool') return { text: 'Done.' };
  return HOUR[results.length]?.call(results) ?? { text: 'All done.' };
}

const findMissing = (results: readonly string[]): readonly string[] =>
  HOUR.flatMap(({ what, says, fails = false }, index) => {
    const result = results[index];
    if (result === undefined) return [`${what}: never came`];
    const isDone = SAYS_NO.test(result) === fails && (says === undefined || says.test(result));
    return isDone ? [] : [`${what}: ${result.slice(0, 300).replaceAll('\n', ' | ')}`];
  });
