import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseJson, readStringAt } from '../../../src/base/json.ts';
import type { WallTierName } from '../../../src/contracts/wall.ts';
import { probeFloor } from '../../../src/parts/terminals/sandbox/floor-probe.ts';
import { rememberSandbox } from '../../../src/parts/terminals/sandbox/known.ts';
import type { FloorTools } from '../../../src/parts/terminals/sandbox/tools.ts';
import { startWireServer, type RecordedRequest, type Reply } from '../../../src/testing/wire-server/index.ts';
import { hermes, toServer } from '../../../test/walks/hermes.ts';
import { bodyOf, resultsIn } from '../../../test/walks/stage.ts';
import { runInContainer } from './container.ts';
import { HOUR, layOutHour } from './steps.ts';

const ATTENDED = join(import.meta.dirname, 'attended.ts');

interface Tier {
  /** Settings `terminal.*` by which commands run there. */
  readonly terminal: Readonly<Record<string, unknown>>;
  /** The owner trusts the folder. */
  readonly isTrusted?: true;
  /** How many of the steps must be done; without a number only that the turn comes to all of them. */
  readonly least?: number;
  /** Also where bubblewrap works. */
  readonly isFloor?: true;
  /** In a container that has no namespaces to give, where the wall must be found to be this one. */
  readonly inContainer?: WallTierName;
}
/** What contains commands. Adding a tier is a row. */
export const TIERS = {
  bubblewrap: { terminal: { backend: 'sandbox' }, least: 27 },
  floor: { terminal: { backend: 'sandbox' }, isFloor: true, least: 27 },
  podman: { terminal: { backend: 'auto' }, inContainer: 'floor', least: 27 },
  trust: { terminal: { backend: 'local' }, isTrusted: true, least: 27 },
  none: { terminal: { backend: 'local' } },
} as const satisfies Record<string, Tier>;
export type TierName = keyof typeof TIERS;
const findTier = (name: TierName): Tier => TIERS[name];
export const isTier = (name: string | undefined): name is TierName => name !== undefined && Object.hasOwn(TIERS, name);

/** How the work comes to the agent. In the first an owner is there, who allows for the session what is asked; in the others nobody is. */
export const SITUATIONS = ['attended', 'one turn', 'a turn each', 'cron with --cwd', 'cron'] as const;
export type Situation = (typeof SITUATIONS)[number];
const isSituation = (name: string | undefined): name is Situation => SITUATIONS.some((each) => each === name);

export interface HourResult {
  readonly tier: TierName;
  readonly situation: Situation;
  /** Steps that were asked for. */
  readonly reached: number;
  readonly done: number;
  /** Questions to the owner, where one is there. */
  readonly asked: number;
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

/** The hour as it goes here, or in a container where the tier wants one. */
export const runHour = (tier: TierName, situation: Situation): Promise<HourResult> =>
  findTier(tier).inContainer === undefined ? runHourHere(tier, situation) : runHourInContainer(tier, situation);

async function runHourInContainer(tier: TierName, situation: Situation): Promise<HourResult> {
  return JSON.parse(await runInContainer('scripts/proofs/hour/run.ts', [tier, situation])) as HourResult;
}

/** In a home and a project of its own, by a model that asks for step after step whatever comes back. */
async function runHourHere(tier: TierName, situation: Situation): Promise<HourResult> {
  const root = mkdtempSync(join(tmpdir(), 'hermes-hour-'));
  const [home, user, project, remote, tmp] = ['user/.hermes', 'user', 'user/shop', 'user/shop.git', 'tmp'].map((name) => join(root, name));
  if (home === undefined || user === undefined || project === undefined || remote === undefined || tmp === undefined) throw new Error(root);
  for (const folder of [home, project, tmp]) mkdirSync(folder, { recursive: true });
  try {
    layOutHour({ project, remote, home: user });
    const { terminal, isTrusted, isFloor, inContainer, least = 0 } = findTier(tier);
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
    const env = { HOME: user, TMPDIR: tmp, PATH: `${join(user, '.cargo', 'bin')}:${process.env['PATH'] ?? ''}` };
    const run = (args: readonly string[], from = project) => hermes(args, { home, cwd: from, env });
    if (isTrusted === true) await run(['trust', project]);
    const ask = ['chat', '-q', 'Work.', ...toServer(server.url)];
    let asked = 0;
    if (situation === 'attended') asked = await work(project, { ...env, HERMES_HOME: home });
    else if (situation === 'one turn') await run(ask);
    else if (situation === 'a turn each') for (const index of HOUR.keys()) await run([...ask, ...(index === 0 ? [] : ['--continue'])]);
    else {
      const at = situation === 'cron' ? [] : ['--cwd', project];
      await run(['cron', 'add', 'every 24h', 'Work.', '--name', 'hour', '--deliver', 'local', ...at]);
      await run(['cron', 'run', 'hour'], user);
    }
    if (inContainer !== undefined && readWall(home) !== inContainer) throw new Error(`In the container the wall is ${readWall(home)}.`);
    const results = resultsIn(server.requests.at(-1));
    const missing = findMissing(results);
    const done = HOUR.length - missing.length;
    return { tier, situation, reached: results.length, done, asked, holds: results.length === HOUR.length && done >= least, missing };
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** A session with an owner; says how often the owner was asked. */
async function work(cwd: string, env: NodeJS.ProcessEnv): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [ATTENDED], { cwd, env });
  return Number(stdout);
}

/** What keeps commands in, as the sessions found it and noted. */
const readWall = (home: string): string =>
  readStringAt(parseJson(readFileSync(join(home, 'cache', 'sandbox.json'), 'utf8')), 'tier') ?? 'none';

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

/** Inside of a container. */
if (import.meta.main) {
  const [tier, situation] = process.argv.slice(2);
  if (!isTier(tier) || !isSituation(situation)) throw new Error(`There is no tier ${tier} or no situation ${situation}.`);
  console.log(JSON.stringify(await runHourHere(tier, situation)));
}
