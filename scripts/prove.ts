/**
 * The long proofs in full size, with what was counted in docs/proofs/:
 *   npm run prove                all of them
 *   npm run prove -- kills mcp   those that are named
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { refreshBundle } from './suite/bundle.ts';

// Proved is what is shipped. The walks look for it when they are loaded.
refreshBundle();
process.env['HERMES_TEST_MAIN'] = resolve('dist/main.cjs');

const count = (variable: string, usual: number): number => Number(process.env[variable] ?? usual);

/** Each says whether it holds. */
const PROOFS: Readonly<Record<string, () => boolean | Promise<boolean>>> = {
  kills: async () => {
    const { proveKills } = await import('./prove-kills.ts');
    return proveKills(count('HERMES_KILLS', 240), count('HERMES_CONSENT_KILLS', 200));
  },
  sessions: proveSessions,
  deaf: proveDeafness,
  suite: proveSuite,
  plugins: async () => {
    const { provePlugins } = await import('./proofs/prove-plugins.ts');
    return provePlugins(count('HERMES_PLUGIN_CYCLES', 1_000));
  },
  setup: async () => {
    const { proveSetup } = await import('./proofs/prove-setup.ts');
    return proveSetup();
  },
  prefix: async () => {
    const { provePrefix } = await import('./prove-prefix.ts');
    return provePrefix(count('HERMES_SESSIONS', 10_000), 200);
  },
  migrate: async () => {
    const { proveMigrate } = await import('./proofs/prove-migrate.ts');
    return proveMigrate(count('HERMES_MIGRATE_KILLS', 60));
  },
  acp: async () => {
    const { proveAcp } = await import('./proofs/prove-acp.ts');
    return proveAcp();
  },
  screen: async () => {
    const { proveScreen } = await import('./proofs/prove-screen.ts');
    return proveScreen(count('HERMES_STORIES', 2_000), count('HERMES_TMUX_STORIES', 50));
  },
  mcp: async () => {
    const { proveMcp } = await import('./prove-mcp.ts');
    return proveMcp(count('HERMES_MCP_RECONNECTS', 1_000));
  },
  terminal: async () => {
    const { proveTerminal } = await import('./proofs/prove-terminal.ts');
    return proveTerminal(count('HERMES_TERMINAL_DEATHS', 100));
  },
  wall: async () => {
    const { proveWallInFull } = await import('./proofs/prove-wall.ts');
    return proveWallInFull();
  },
  hour: async () => {
    const { proveHour } = await import('./proofs/prove-hour.ts');
    return proveHour();
  },
  floor: async () => {
    const { proveFloor } = await import('./proofs/prove-floor.ts');
    return proveFloor();
  },
  memory: async () => {
    const { proveMemory } = await import('./proofs/prove-memory.ts');
    return proveMemory(count('HERMES_MEMORY_KILLS', 200), count('HERMES_MEMORY_SESSIONS', 200));
  },
  gateway: async () => {
    const { proveGateway } = await import('./proofs/prove-gateway.ts');
    return proveGateway();
  },
  mail: async () => {
    const { proveMail } = await import('./proofs/prove-mail.ts');
    return proveMail();
  },
  'memory-servers': async () => {
    const { proveMemoryServers } = await import('./proofs/prove-memory-servers.ts');
    return proveMemoryServers();
  },
  cron: async () => {
    const { proveCron } = await import('./proofs/prove-cron.ts');
    return proveCron(count('HERMES_CRON_KILLS', 200));
  },
  rollouts: async () => {
    const { proveRollouts } = await import('./proofs/prove-rollouts.ts');
    return proveRollouts(count('HERMES_ROLLOUTS', 200), count('HERMES_ROLLOUT_KILLS', 30));
  },
  api: async () => {
    const { proveApi } = await import('./proofs/prove-api.ts');
    return proveApi();
  },
  parsers: async () => {
    const { proveParsers } = await import('./proofs/prove-parsers.ts');
    return proveParsers(count('HERMES_CALL_SETS', 1_000));
  },
  atropos: async () => {
    const { proveAtropos } = await import('./proofs/prove-atropos.ts');
    return proveAtropos(count('HERMES_ATROPOS_GROUPS', 200), count('HERMES_ATROPOS_KILLS', 20), 3);
  },
  soak: async () => {
    const { proveSoak } = await import('./proofs/prove-soak.ts');
    return proveSoak(count('HERMES_SOAK_MESSAGES', 200_000), count('HERMES_SOAK_MINUTES', 60));
  },
  benchmarks: async () => {
    const { proveBenchmarks } = await import('./proofs/prove-benchmarks.ts');
    return proveBenchmarks();
  },
  tokens: async () => {
    const { proveTokens } = await import('./proofs/prove-tokens.ts');
    return proveTokens(count('HERMES_TOKEN_ROLLOUTS', 50));
  },
  updates: async () => {
    const { proveUpdates } = await import('./proofs/prove-updates.ts');
    return proveUpdates(count('HERMES_UPDATE_KILLS', 210), count('HERMES_BUILD_KILLS', 20));
  },
  image: async () => {
    const { proveImage } = await import('./proofs/prove-image.ts');
    return proveImage();
  },
  transcript: async () => {
    const { proveTranscript } = await import('./proofs/prove-transcript.ts');
    return proveTranscript(count('HERMES_TRANSCRIPTS', 500));
  },
};

const words = process.argv.slice(2);
const unknown = words.filter((word) => PROOFS[word] === undefined);
if (unknown.length > 0) {
  console.error(`There is no proof called ${unknown.join(', ')}. There are: ${Object.keys(PROOFS).join(', ')}.`);
  process.exit(2);
}
for (const [name, prove] of Object.entries(PROOFS)) {
  if (words.length > 0 && !words.includes(name)) continue;
  const holds = await Promise.try(prove).catch(tellBreak);
  console.log(`${name}: ${holds ? 'holds' : 'DOES NOT HOLD'}`);
  if (!holds) process.exitCode = 1;
}

/** A proof that breaks off says what broke it: what failed first stands behind what failed while it was cleared away. */
function tellBreak(error: unknown): false {
  for (let each: unknown = error; each !== undefined; each = each instanceof SuppressedError ? each.suppressed : undefined)
    console.error(each instanceof SuppressedError ? each.error : each);
  return false;
}

/** A thousand sessions leave nothing behind, ten thousand never hold more than fifty terminals. */
function proveSessions(): boolean {
  const env = { ...process.env, HERMES_SESSIONS_FULL: '1' };
  return spawnSync(process.execPath, ['--test', 'test/app/host.test.ts'], { env, stdio: 'inherit' }).status === 0;
}

/** Every test file that has a small size for `npm test`, in full. */
function proveSuite(): boolean {
  const files = globSync('test/**/*.test.ts').filter((file) => /from '(?:\.\.?\/)+size\.ts'/.test(readFileSync(file, 'utf8')));
  const env = { ...process.env, HERMES_SUITE: 'full' };
  return spawnSync(process.execPath, ['--test', '--test-concurrency=2', ...files.toSorted()], { env, stdio: 'inherit' }).status === 0;
}

/** The link to a chat platform breaks in every way and order: nothing is lost, and nobody is deaf for more than three minutes. */
function proveDeafness(): boolean {
  const runs = String(count('HERMES_CHAOS_RUNS', 200));
  const env = { ...process.env, HERMES_CHAOS_RUNS: runs, HERMES_PROPERTY_RUNS: runs };
  // Without a network first, then over the sockets of each platform.
  const files = [
    'test/faces/gateway/link/chaos.test.ts',
    'test/faces/gateway/proofs/deaf.test.ts',
    'test/platforms/discord/absence.test.ts',
    'test/platforms/slack/chaos.test.ts',
  ];
  return spawnSync(process.execPath, ['--test', '--test-concurrency=1', ...files], { env, stdio: 'inherit' }).status === 0;
}
