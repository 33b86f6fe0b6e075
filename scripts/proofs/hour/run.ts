import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWireServer, type RecordedRequest, type Reply } from '../../../src/testing/wire-server/index.ts';
import { hermes, toServer } from '../../../test/walks/hermes.ts';
import { bodyOf, resultsIn } from '../../../test/walks/stage.ts';
import { HOUR, layOutHour } from './steps.ts';

/** What contains commands. Adding a tier is a row. */
export const TIERS = {
  bubblewrap: { backend: 'sandbox', isTrusted: false },
  trust: { backend: 'local', isTrusted: true },
} as const satisfies Record<string, { readonly backend: string; readonly isTrusted: boolean }>;
export type TierName = keyof typeof TIERS;

/** How the work comes to the agent; nobody is there in any of them. */
export const SITUATIONS = ['one turn', 'a turn each', 'cron with --cwd', 'cron'] as const;
export type Situation = (typeof SITUATIONS)[number];

export interface HourResult {
  readonly tier: TierName;
  readonly situation: Situation;
  readonly done: number;
  /** What was not done, each with the beginning of its result. */
  readonly missing: readonly string[];
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
    const { backend, isTrusted } = TIERS[tier];
    const cwd = situation === 'cron' ? { cwd: project } : {};
    await using server = await startWireServer({ answer: (request) => nextReply(request, situation) });
    writeFileSync(
      join(home, 'config.yaml'),
      JSON.stringify({
        model: { default: 'test-model', provider: 'custom', base_url: `${server.url}/v1`, api_mode: 'chat_completions' },
        terminal: { backend, ...cwd },
      }),
    );
    const env = { HOME: user, TMPDIR: tmp, PATH: `${join(user, '.cargo', 'bin')}:${process.env['PATH'] ?? ''}` };
    const run = (args: readonly string[], more: object = {}) => hermes(args, { home, cwd: project, env, ...more });
    if (isTrusted) await run(['trust', project], { onTerminal: true });
    const ask = ['chat', '-q', 'Work.', ...toServer(server.url)];
    if (situation === 'one turn') await run(ask);
    else if (situation === 'a turn each')
      for (const index of HOUR.keys()) await run([...ask, ...(index === 0 ? [] : ['--continue'])]);
    else {
      const at = situation === 'cron' ? [] : ['--cwd', project];
      await run(['cron', 'add', 'every 24h', 'Work.', '--name', 'hour', '--deliver', 'local', ...at]);
      await run(['cron', 'run', 'hour'], { cwd: user });
    }
    return { tier, situation, ...judge(resultsIn(server.requests.at(-1))) };
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

function judge(results: readonly string[]): Pick<HourResult, 'done' | 'missing'> {
  const missing = HOUR.flatMap(({ what, says, fails = false }, index) => {
    const result = results[index];
    if (result === undefined) return [`${what}: never came`];
    const isDone = SAYS_NO.test(result) === fails && (says === undefined || says.test(result));
    return isDone ? [] : [`${what}: ${result.slice(0, 300).replaceAll('\n', ' | ')}`];
  });
  return { done: HOUR.length - missing.length, missing };
}
