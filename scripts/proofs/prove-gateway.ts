/**
 * The gateway in full size. Each proof writes its own section of docs/proofs/gateway.md and leaves the others as they are:
 *   npm run prove -- gateway
 *   HERMES_GATEWAY_PROOFS=kill-telegram,storm-slack npm run prove -- gateway
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { formatDuration } from '../../src/base/screen/when.ts';
import { openKillStage, type KillRound } from '../../test/faces/gateway/kill/harness.ts';
import { SCRIPTS, type ScriptName } from '../../test/faces/gateway/kill/stories.ts';
import { runAbsence, WAYS } from '../../test/faces/gateway/proofs/absence.ts';
import { runDeaf } from '../../test/faces/gateway/proofs/deaf.ts';
import { speedTimeUp } from '../../test/faces/gateway/proofs/fast-time.ts';
import { runFlood } from '../../test/faces/gateway/proofs/flood.ts';
import { ALL_DEEDS, runIsolation } from '../../test/faces/gateway/proofs/isolation.ts';
import { runMemory } from '../../test/faces/gateway/proofs/memory.ts';
import { runStrangers } from '../../test/faces/gateway/proofs/strangers.ts';
import { runStreaming, type StreamingResult } from '../../test/faces/gateway/proofs/streaming.ts';
import { runWebhookKills } from '../../test/faces/gateway/proofs/webhook-kills.ts';
import { runWrongChat } from '../../test/faces/gateway/proofs/wrong-chat.ts';
import type { ChatStage } from '../../test/faces/gateway/stages/contract.ts';
import { bundleProgram } from './bundle-program.ts';

const PAGE = 'docs/proofs/gateway.md';
const count = (variable: string, usual: number): number => Number(process.env[variable] ?? usual);

/** What came of a proof: lines for the page, and what must not be. */
interface ProofResult {
  readonly lines: readonly string[];
  readonly faults: readonly string[];
}

/** Writes down how far a proof has come: one that is broken off says what it has shown. */
type TellSoFar = (result: ProofResult) => void;

const PROOFS: Readonly<Record<string, (tell: TellSoFar) => Promise<ProofResult>>> = {
  'kill-telegram': (tell) => proveMoments('telegram', tell),
  'kill-discord': (tell) => proveMoments('discord', tell),
  'kill-slack': (tell) => proveMoments('slack', tell),
  'storm-telegram': (tell) =>
    proveStorms({ platform: 'telegram', kills: count('HERMES_GATEWAY_KILLS', 360), chats: 50, perSecond: 20 }, tell),
  'storm-discord': (tell) => proveStorms({ platform: 'discord', kills: count('HERMES_GATEWAY_KILLS', 80), chats: 50, perSecond: 20 }, tell),
  'storm-slack': (tell) => proveStorms({ platform: 'slack', kills: count('HERMES_GATEWAY_KILLS', 80), chats: 50, perSecond: 5 }, tell),
  'kill-webhook': proveWebhookKills,
  'wrong-chat': (tell) => proveWrongChat(count('HERMES_GATEWAY_ROUNDS', 12), tell),
  absence: proveAbsence,
  deaf: () => proveDeaf(count('HERMES_GATEWAY_RUNS', 200)),
  'deaf-clock': () => proveDeafByClock(count('HERMES_CHAOS_RUNS', 200)),
  isolation: proveIsolation,
  flood: () => proveFlood(count('HERMES_GATEWAY_RETRY_AFTER', 149)),
  streaming: (tell) => proveStreaming(count('HERMES_GATEWAY_TEXTS', 2_000), tell),
  strangers: () => proveStrangers(count('HERMES_GATEWAY_STRANGERS', 100_000)),
  media: proveMedia,
  memory: () => proveMemory(count('HERMES_GATEWAY_CHATS', 10_000)),
};

export async function proveGateway(): Promise<boolean> {
  const wanted = process.env['HERMES_GATEWAY_PROOFS']?.split(',') ?? Object.keys(PROOFS);
  let holds = true;
  process.env['HERMES_KILL_PROGRAM'] = await bundleProgram({
    source: 'test/faces/gateway/kill/program.ts',
    folder: resolve('dist/proofs/gateway'),
    name: 'program',
  });
  for (const name of wanted) {
    const prove = PROOFS[name];
    if (prove === undefined) throw new Error(`There is no proof "${name}". There are: ${Object.keys(PROOFS).join(', ')}.`);
    const began = Date.now();
    const write: TellSoFar = ({ lines, faults }) => {
      const took = `- time: ${formatDuration(Date.now() - began)}`;
      writeSection(name, [...lines, `- faults: ${faults.length}`, ...faults.slice(0, 20).map((fault) => `  - ${fault}`), took]);
    };
    const { lines, faults } = await prove(write);
    write({ lines, faults });
    console.log([`${name}:`, ...lines, ...faults].join('\n  '));
    holds &&= faults.length === 0;
  }
  return holds;
}

/** A section of the page takes the place of the one of its name. */
function writeSection(name: string, lines: readonly string[]): void {
  const before = existsSync(PAGE)
    ? readFileSync(PAGE, 'utf8')
        .split(/^(?=## )/m)
        .slice(1)
    : [];
  const sections = new Map(before.map((text) => [/^## (\S+)/.exec(text)?.[1] ?? '', text.trim()]));
  const machine = `${new Date().toISOString().slice(0, 16)}Z, Node ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  sections.set(name, [`## ${name}`, '', ...lines, '', `Run on ${machine}.`].join('\n'));
  mkdirSync('docs/proofs', { recursive: true });
  writeFileSync(PAGE, `${[HEAD, ...Object.keys(PROOFS).flatMap((key) => sections.get(key) ?? [])].join('\n\n')}\n`);
}

const HEAD = `# The gateway

A gateway as a process of its own, with its store on disk, a model and a chat platform over real sockets. The platform's own log is the judge; nothing is asked of the gateway. Repeat with \`npm run prove -- gateway\`; \`HERMES_GATEWAY_PROOFS=NAME\` runs one of them. A section says how large its run was; one that was not run is not here.

How kills are judged: the time of a kill is noted when all that the dead process had sent has been read, so a request of the dead one is never taken for one of its successor; a gateway is waited for as long as it goes on answering, and two minutes more; in storms most lives are counted from when the gateway is at work, since on a busy machine it would otherwise die before it had done anything. Heartbeats and pings of Discord and Slack are as long as in life. A mark "may be a repeat" is a fault on Slack, where we can read back, and on Discord within the two minutes for which it knows our keys; later it is the truth there, as on Telegram.`;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function describeRounds(rounds: readonly KillRound[]): string[] {
  const total = (name: keyof KillRound['counts']): number => sum(rounds.map(({ counts }) => counts[name]));
  return [
    `- kills: ${sum(rounds.map(({ kills }) => kills))}`,
    `- messages and commands: ${total('messages')}`,
    `- messages of ours with the mark "may be a repeat": ${total('marked')}; of these, there twice: ${total('repeated')}`,
    `- beginnings of an answer that stay because a kill cut off their send, each with the marked answer after it: ${total('leftPreviews')}`,
    `- told as given up after three crashes: ${total('givenUp')}; told as dropped by /new: ${total('dropped')}`,
  ];
}

/** The judges are the sender, which repeats what was not taken, and the receiver, which knows results by their ids. */
async function proveWebhookKills(): Promise<ProofResult> {
  const { moments, kills, faults } = await runWebhookKills((all) => all.map((_, index) => index + 1));
  const [known, repeated] = [kills.filter(({ heard }) => heard === 200), kills.filter(({ requests }) => requests > 1)];
  return {
    lines: [
      `- ${moments.length} moments between the request of a sender and its result at a receiver, ${kills.filter(({ at }) => at !== '').length} kills`,
      `- each event: one session, one result`,
      `- events that their sender repeated and heard to be known: ${known.length}; results that came to the receiver twice, under the same id: ${repeated.length}`,
    ],
    faults,
  };
}

/** Killed once at every commit and every request, before and after it, of each script. */
async function proveMoments(platform: ChatStage['platform'], tell: TellSoFar): Promise<ProofResult> {
  const wanted = process.env['HERMES_GATEWAY_SCRIPTS']?.split(',');
  const names = (Object.keys(SCRIPTS) as ScriptName[]).filter((name) => wanted?.includes(name) ?? true);
  const found = names.map((script): KilledScript => ({ script, moments: 0, rounds: [], faults: [] }));
  const describe = (): ProofResult => ({
    lines: [
      `Killed at every commit and every HTTP request, before and after it, of rounds with two chats each: moments are found by wrapping the database and the HTTP client${platform === 'telegram' ? '' : '; "after a commit" is the same state as the moment that follows, and is left out'}. Step ${count('HERMES_GATEWAY_KILL_STEP', 1)}.`,
      '',
      ...found.map(({ script, moments, rounds }) => `- ${script}: ${moments} moments, killed at ${sum(rounds.map(({ kills }) => kills))}`),
      ...describeRounds(found.flatMap(({ rounds }) => rounds)),
    ],
    faults: found.flatMap(({ rounds, faults }) => [...rounds.flatMap((round) => round.faults), ...faults]),
  });
  await inParallel(found, AT_ONCE, (script) => killEverywhere(platform, script, () => tell(describe())));
  return describe();
}

/** Gateways under test wait for each other little, and for their chats' rates much. */
const AT_ONCE = count('HERMES_GATEWAY_AT_ONCE', 5);

async function inParallel<Item, Result>(items: readonly Item[], most: number, work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const left = [...items.entries()];
  const run = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: most }, run));
  return results;
}

interface KilledScript {
  readonly script: ScriptName;
  moments: number;
  readonly rounds: KillRound[];
  readonly faults: string[];
}

async function killEverywhere(platform: ChatStage['platform'], found: KilledScript, tell: () => void): Promise<void> {
  const { script, rounds, faults } = found;
  const began = Date.now();
  let left: number[] | undefined;
  do {
    await using stage = await openKillStage({ platform, chats: 2, strangers: script === 'pairing' ? ROUNDS_IN_A_HOME + 1 : 0 });
    if (left === undefined) {
      rounds.push(await stage.round(script, 0));
      found.moments = stage.moments().length;
      left = chooseMoments(stage.moments(), platform);
    }
    for (const at of left.splice(0, ROUNDS_IN_A_HOME)) {
      const round = await stage.round(script, at);
      rounds.push(round);
      tell();
      if (round.faults.length > 0) console.log(`  ${at}/${found.moments} ${round.faults.join('\n    ')}`);
    }
    faults.push(...(await stage.receipts()));
  } while (left.length > 0);
  const seconds = Math.round((Date.now() - began) / 1_000);
  console.log(`  ${new Date().toISOString()} ${platform} ${script}: ${found.moments} moments, ${rounds.length} rounds, ${seconds} s`);
}

/**
 * After a commit nothing happens until the next moment: what a kill finds there is what it finds then. On Telegram both are tried,
 * on the others the second.
 */
function chooseMoments(moments: readonly string[], platform: ChatStage['platform']): number[] {
  const step = count('HERMES_GATEWAY_KILL_STEP', 1);
  return moments
    .flatMap((moment, index) => (platform === 'telegram' || moment !== 'after a commit' || index === moments.length - 1 ? [index + 1] : []))
    .filter((_, index) => index % step === step >> 1);
}

/** Each round of pairing needs somebody new, and strangers are only heard so often. */
const ROUNDS_IN_A_HOME = 20;

interface StormPlan {
  readonly platform: ChatStage['platform'];
  readonly kills: number;
  readonly chats: number;
  readonly perSecond: number;
}
const KILLS_IN_A_STORM = 10;
const STORMS_IN_A_HOME = 4;
const STORMS_AT_ONCE = 2;

/** Killed at random times while people write, consent, send files, give commands, pair, and sessions are made smaller. */
async function proveStorms({ platform, kills, chats, perSecond }: StormPlan, tell: TellSoFar): Promise<ProofResult> {
  const first = count('HERMES_SEED', 1);
  const storms = Math.ceil(kills / KILLS_IN_A_STORM);
  const homes = Array.from({ length: Math.ceil(storms / STORMS_IN_A_HOME) }, (_, home) => first + home * STORMS_IN_A_HOME);
  const [rounds, faults]: [KillRound[], string[]] = [[], []];
  const describe = (): ProofResult => ({
    lines: [
      `SIGKILL at random times (a life lasts up to 3 s from when the gateway is at work, and one in seven from its start) under ${perSecond} messages a second over ${chats} chats: shell commands, consent by cards, words and commands, files and albums both ways, edits, slow answers, /queue, /background, /stop, /new, /undo, sessions that are made smaller, and a person who pairs.`,
      '',
      `- storms: ${rounds.length}, with ${rounds.map(({ how }) => how).join(', ')}`,
      ...describeRounds(rounds),
    ],
    faults: [...rounds.flatMap((round) => round.faults), ...faults],
  });
  await inParallel(homes, Math.min(AT_ONCE, STORMS_AT_ONCE), async (begins) => {
    await using stage = await openKillStage({ platform, chats, strangers: STORMS_IN_A_HOME + 1 });
    for (let seed = begins; seed < Math.min(begins + STORMS_IN_A_HOME, first + storms); seed++) {
      const options = { seed: `${platform}/${seed}`, messages: 5 * perSecond, perSecond, kills: KILLS_IN_A_STORM, lifeMs: 3_000 };
      const round = await stage.storm(options);
      rounds.push(round);
      tell(describe());
      console.log(
        `  ${new Date().toISOString()} ${round.how}: ${round.kills} kills, ${round.counts.messages} messages; ${round.faults.join('; ')}`,
      );
    }
    faults.push(...(await stage.receipts()));
  });
  return describe();
}

const PLATFORMS = ['telegram', 'discord', 'slack'] as const;

async function proveWrongChat(rounds: number, tell: TellSoFar): Promise<ProofResult> {
  const first = count('HERMES_SEED', 1);
  const seeds = Array.from({ length: rounds }, (_, index) => `wrong-chat/${first + index}`);
  const results = new Map<string, Awaited<ReturnType<typeof runWrongChat>>>();
  const describe = (): ProofResult => {
    const all = [...results.values()];
    const total = (name: 'messages' | 'kills' | 'calls' | 'posts' | 'sent' | 'background'): number => sum(all.map((each) => each[name]));
    return {
      lines: [
        `Each chat has a nonce, and the model repeats every nonce that it is shown. Three platforms with two accounts each, steering, consent, work in the background, messages that chats have sent to each other across platforms, and kills. Judged: every request to a platform, every prompt, every workspace.`,
        '',
        `- rounds: ${results.size}, with the seeds ${[...results.keys()].join(', ')}; chats in each: ${all[0]?.chats ?? 0}`,
        `- messages: ${total('messages')}; kills: ${total('kills')}`,
        `- orders to send to another chat: ${total('posts')}, of which arrived: ${total('sent')}; orders for the background: ${total('background')}`,
        `- requests with a nonce: ${total('calls')}`,
      ],
      faults: all.flatMap(({ faults }) => faults),
    };
  };
  await inParallel(seeds, 2, async (seed) => {
    const result = await runWrongChat({ seed, chats: 3, messages: 120, kills: 5 });
    console.log(`  ${new Date().toISOString()} ${seed}: ${result.faults.join('; ')}`);
    results.set(seed, result);
    tell(describe());
  });
  return describe();
}

/** Each run breaks a link four times; many runs at once, since most of it is waiting. */
async function proveDeaf(runs: number): Promise<ProofResult> {
  const [first, faults] = [count('HERMES_SEED', 1), 4];
  const seeds = PLATFORMS.flatMap((platform) =>
    Array.from({ length: runs }, (_, index) => ({ platform, seed: `${platform}/${first + index}` })),
  );
  const secondMs = count('HERMES_GATEWAY_SECOND_MS', 25);
  using _fast = speedTimeUp(secondMs);
  const results = await inParallel(seeds, 12, ({ platform, seed }) => runDeaf(platform, seed, faults));
  const rows = PLATFORMS.map((platform) => {
    const own = results.filter((result) => result.platform === platform);
    const longest = Math.max(...own.map(({ longestSeconds }) => longestSeconds)).toFixed(1);
    return `| ${platform} | ${own.length} | ${own.length * faults} | ${sum(own.map(({ messages }) => messages))} | ${longest} s | ${Math.max(...own.map(({ mostSockets }) => mostSockets))} |`;
  });
  const late = results.filter(({ longestSeconds }) => longestSeconds > 180);
  return {
    lines: [
      `The link to each platform over real sockets: deafened while sends succeed, deaf again after it was rebuilt, cut and refused, with and without resume. A second of all timers and clocks, those of the adapters and of the platform too, is ${secondMs} ms. A message counts as late from the moment at which nothing was in its way any more. At rest one connection was left after every run.`,
      '',
      '| platform | runs | faults | messages | longest without one | most connections at once |',
      '|---|---|---|---|---|---|',
      ...rows,
      '',
    ],
    faults: [
      ...results.flatMap(({ wrong }) => wrong),
      ...late.map(({ platform, longestSeconds }) => `${platform}: deaf for ${longestSeconds.toFixed(1)} s`),
      ...results
        .filter(({ mostSockets }) => mostSockets > 2)
        .map(({ platform, mostSockets }) => `${platform}: ${mostSockets} connections at once`),
    ],
  };
}

/** What cannot be waited for: hours, and closes that never end. */
async function proveDeafByClock(runs: number): Promise<ProofResult> {
  const { stdout, faults } = runTests('test/faces/gateway/link/chaos.test.ts', { HERMES_CHAOS_RUNS: String(runs) });
  return {
    lines: [
      'The same link by a virtual clock (`test/faces/gateway/link/chaos.test.ts`): deafened while sends succeed, closes that hang, connections that hang, fail or hear nothing, crashes, a clock that jumps by 8 hours either way, all in every order. In each run one socket is left, and there was never more than one.',
      '',
      ...[...stdout.matchAll(/\d+ runs, \d+ faults: never deaf for more than .* s\./g)].map(([words]) => `- ${words}`),
    ],
    faults,
  };
}

/** A test file in full, and those of its tests that failed. */
function runTests(file: string, env: NodeJS.ProcessEnv): { readonly stdout: string; readonly faults: readonly string[] } {
  const { stdout, status } = spawnSync(process.execPath, ['--test', '--test-reporter=tap', file], {
    env: { ...process.env, HERMES_SUITE: 'full', ...env },
    encoding: 'utf8',
  });
  const failed = [...stdout.matchAll(/^\s*not ok \d+ - (.*)$/gm)].map(([, words = '']) => words);
  return { stdout, faults: status === 0 ? failed : [...failed, `the tests ended with ${status ?? 'a signal'}`] };
}

/** Every adapter does everything that it should not. */
async function proveIsolation(): Promise<ProofResult> {
  const results = await runIsolation(PLATFORMS, ALL_DEEDS);
  const rows = results.map(
    ({ platform, deed, quiet, meanwhile, isBack }) =>
      `| ${platform} | ${deed} | ${quiet.median} / ${quiet.most} | ${meanwhile.median} / ${meanwhile.most} | ${meanwhile.answers} | ${isBack ? 'yes' : 'no'} |`,
  );
  return {
    lines: [
      'Each adapter in its worker misbehaves while people on the other two platforms write one message after the other: how long those wait for an answer, before and meanwhile (middle / most, in ms).',
      '',
      '| platform | what its adapter does | the others before | the others meanwhile | answers meanwhile | it came back |',
      '|---|---|---|---|---|---|',
      ...rows,
      '',
    ],
    faults: results.flatMap(({ platform, deed, quiet, meanwhile, isBack }) => [
      ...(isBack ? [] : [`${platform} did not come back after: ${deed}`]),
      ...(meanwhile.median > 3 * quiet.median + 100
        ? [`${platform}, ${deed}: the others waited ${meanwhile.median} ms in place of ${quiet.median}`]
        : []),
    ]),
  };
}

/** The attempts to have files sent that nobody should get. */
async function proveMedia(): Promise<ProofResult> {
  const { stdout, faults } = runTests('test/faces/gateway/media-attempts.test.ts', {});
  const tried = [...stdout.matchAll(/^\s*ok \d+ - (.*)$/gm)].map(([, words = '']) => `- ${words}`);
  return {
    lines: ['`MEDIA:` paths and files of messages that must not be delivered (`test/faces/gateway/media-attempts.test.ts`).', '', ...tried],
    faults,
  };
}

/** Fifty messages on each platform, for each way of being away. */
async function proveAbsence(): Promise<ProofResult> {
  const results = await runAbsence({ chats: 10, each: 5, ways: WAYS });
  const rows = results.map(({ way, platform, said, answeredOnce }) => `| ${way} | ${platform} | ${said} | ${answeredOnce} |`);
  return {
    lines: ['| away | platform | said meanwhile | answered once |', '|---|---|---|---|', ...rows, ''],
    faults: results.flatMap(({ way, platform, others }) => others.map((other) => `${way} ${platform} ${other}`)),
  };
}

async function proveStreaming(texts: number, tell: TellSoFar): Promise<ProofResult> {
  const results: (StreamingResult & { readonly platform: string })[] = [];
  const first = count('HERMES_SEED', 1);
  const describe = (): ProofResult => ({
    lines: [
      `Random texts with fences, tables, CJK, emoji and more than a message holds, streamed over a line with faults, beside the same text unstreamed. Seeds from \`PLATFORM/${first}\`, a hundred texts each.`,
      '',
      '| platform | texts | messages | edits |',
      '|---|---|---|---|',
      ...PLATFORMS.map((platform) => {
        const own = results.filter((result) => result.platform === platform);
        return `| ${platform} | ${sum(own.map((each) => each.texts))} | ${sum(own.map((each) => each.messages))} | ${sum(own.map((each) => each.edits))} |`;
      }),
      '',
    ],
    faults: results.flatMap(({ faults }) => faults),
  });
  // A home at a time: what one run holds does not grow with all of them. Platforms take turns.
  const [share, atOnce] = [{ telegram: 0.5, discord: 0.25, slack: 0.25 }, 100];
  for (let done = 0; done < texts * 0.5; done += atOnce)
    for (const platform of PLATFORMS.filter((each) => done < texts * share[each])) {
      const seed = `${platform}/${first + done / atOnce}`;
      results.push({ platform, ...(await runStreaming(platform, seed, Math.min(atOnce, texts * share[platform] - done))) });
      tell(describe());
      console.log(`  ${new Date().toISOString()} ${seed} ${results.at(-1)?.faults.length ?? 0} faults`);
    }
  return describe();
}

async function proveFlood(seconds: number): Promise<ProofResult> {
  const cases = PLATFORMS.flatMap((platform) => (['send', 'edit'] as const).map((what) => ({ platform, what })));
  const results = await Promise.all(cases.map(({ platform, what }) => runFlood(platform, what, seconds)));
  const rows = results.map((each) => `| ${each.platform} | ${each.what} | ${each.limited} | ${each.tooSoon.length} | ${each.answers} |`);
  return {
    lines: [
      `The platform asks to wait ${seconds} s in the middle of an answer.`,
      '',
      '| platform | refused | times | requests to that chat meanwhile | answers in the end |',
      '|---|---|---|---|---|',
      ...rows,
      '',
    ],
    faults: results
      .filter(({ limited, tooSoon, answers }) => limited === 0 || tooSoon.length > 0 || answers !== 1)
      .map((result) => JSON.stringify(result)),
  };
}

async function proveStrangers(messages: number): Promise<ProofResult> {
  const result = await runStrangers(messages);
  const { leaks, modelCalls, paired, isLocked, rows, replies, grownBytes } = result;
  const faults = [
    ...leaks.map((leak) => `a code is in ${leak}`),
    ...(modelCalls > 0 ? [`${modelCalls} model calls`] : []),
    ...(paired > 0 || !isLocked ? ['guessing was not locked out'] : []),
    ...(rows > 60 ? [`${rows} rows`] : []),
    ...(grownBytes > 5 * 2 ** 20 ? [`grown by ${grownBytes} bytes`] : []),
  ];
  const lines = [
    'Messages of unknown people in masses, some of which guess codes, the right one too late.',
    '',
    `- messages: ${result.messages}`,
    `- model calls: ${modelCalls}`,
    `- rows they left: ${rows}; replies: ${replies}`,
    `- growth of the home over the last nine tenths: ${grownBytes} bytes`,
    `- locked: ${isLocked ? 'yes' : 'no'}; people who got in: ${paired}; places where a code is written: ${leaks.length}`,
  ];
  return { lines, faults };
}

async function proveMemory(chats: number): Promise<ProofResult> {
  const { answered, idle, most, after } = await runMemory(chats);
  const row = (name: string, figures: typeof idle): string => `| ${name} | ${figures.rssMb} | ${figures.handles} | ${figures.children} |`;
  return {
    lines: [
      `${chats} chats write once each; a fifth of them run a command. Seen from outside, by /proc; the heap may grow to 180 MB.`,
      '',
      '| | RSS (MB) | handles | processes below it |',
      '|---|---|---|---|',
      row('idle', idle),
      row('most', most),
      row('after', after),
      '',
      `- answered: ${answered}`,
    ],
    faults: [
      ...(answered < chats ? [`${chats - answered} chats were not answered`] : []),
      ...(most.children > 300 || most.handles > 460 ? ['more terminals are open than a host keeps'] : []),
      ...(most.rssMb > 3 * idle.rssMb ? [`${most.rssMb} MB against ${idle.rssMb} MB`] : []),
    ],
  };
}
