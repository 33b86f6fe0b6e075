/**
 * The gateway in full size. Each proof writes its own section of docs/proofs/gateway.md and leaves the others as they are:
 *   npm run prove -- gateway
 *   HERMES_GATEWAY_PROOFS=kill-telegram,storm-slack npm run prove -- gateway
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { openKillStage, type KillRound } from '../../test/faces/gateway/kill/harness.ts';
import { runAbsence, WAYS } from '../../test/faces/gateway/proofs/absence.ts';
import { runFlood } from '../../test/faces/gateway/proofs/flood.ts';
import { runMemory } from '../../test/faces/gateway/proofs/memory.ts';
import { runStrangers } from '../../test/faces/gateway/proofs/strangers.ts';
import { runStreaming, type StreamingResult } from '../../test/faces/gateway/proofs/streaming.ts';
import { runWrongChat } from '../../test/faces/gateway/proofs/wrong-chat.ts';
import type { ChatStage } from '../../test/faces/gateway/stages/contract.ts';

const PAGE = 'docs/proofs/gateway.md';
const count = (variable: string, usual: number): number => Number(process.env[variable] ?? usual);

/** What came of a proof: lines for the page, and what must not be. */
interface ProofResult {
  readonly lines: readonly string[];
  readonly faults: readonly string[];
}

const PROOFS: Readonly<Record<string, () => Promise<ProofResult>>> = {
  'kill-telegram': () => proveMoments('telegram'),
  'kill-discord': () => proveMoments('discord'),
  'kill-slack': () => proveMoments('slack'),
  'storm-telegram': () => proveStorms({ platform: 'telegram', kills: count('HERMES_GATEWAY_KILLS', 500), chats: 50, perSecond: 20 }),
  'storm-discord': () => proveStorms({ platform: 'discord', kills: count('HERMES_GATEWAY_KILLS', 100), chats: 50, perSecond: 20 }),
  'storm-slack': () => proveStorms({ platform: 'slack', kills: count('HERMES_GATEWAY_KILLS', 100), chats: 50, perSecond: 5 }),
  'wrong-chat': () => proveWrongChat(count('HERMES_GATEWAY_ROUNDS', 20)),
  absence: proveAbsence,
  streaming: () => proveStreaming(count('HERMES_GATEWAY_TEXTS', 2_000)),
  flood: () => proveFlood(count('HERMES_GATEWAY_RETRY_AFTER', 149)),
  strangers: () => proveStrangers(count('HERMES_GATEWAY_STRANGERS', 100_000)),
  memory: () => proveMemory(count('HERMES_GATEWAY_CHATS', 10_000)),
};

export async function proveGateway(): Promise<boolean> {
  const wanted = process.env['HERMES_GATEWAY_PROOFS']?.split(',') ?? Object.keys(PROOFS);
  let holds = true;
  for (const name of wanted) {
    const prove = PROOFS[name];
    if (prove === undefined) throw new Error(`There is no proof "${name}". There are: ${Object.keys(PROOFS).join(', ')}.`);
    const { lines, faults } = await prove();
    writeSection(name, [...lines, `- faults: ${faults.length}`, ...faults.slice(0, 20).map((fault) => `  - ${fault}`)]);
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

A gateway as a process of its own, with its store on disk, a model and a chat platform over real sockets. The platform's own log is the judge; nothing is asked of the gateway. Repeat with \`npm run prove -- gateway\`; \`HERMES_GATEWAY_PROOFS=NAME\` runs one of them. A section says how large its run was; one that was not run is not here.`;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function describeRounds(rounds: readonly KillRound[]): string[] {
  const messages = rounds.flatMap((round) => round.messages);
  return [
    `- kills: ${sum(rounds.map(({ kills }) => kills))}`,
    `- messages: ${messages.length}`,
    `- answered with the mark "may be a repeat": ${messages.filter(({ marked }) => marked > 0).length}`,
    `- there twice, the second marked: ${messages.filter(({ answers, marked }) => answers + marked > 1).length}`,
    `- told as given up after three crashes: ${sum(rounds.map(({ givenUp }) => givenUp))}`,
    `- effects twice: ${messages.filter(({ effects }) => effects > 1).length}`,
  ];
}

/** Killed once at every commit and every request, before and after it. */
async function proveMoments(platform: ChatStage['platform']): Promise<ProofResult> {
  await using stage = await openKillStage({ platform, chats: 2 });
  const rounds = [await stage.round(0)];
  const moments = stage.moments();
  const step = count('HERMES_GATEWAY_KILL_STEP', 1);
  for (let at = 1; at <= moments.length; at += step) {
    const round = await stage.round(at);
    rounds.push(round);
    if (round.faults.length > 0 || at % 20 === 1) console.log(`  ${at}/${moments.length} ${round.how} ${round.faults.join('; ')}`);
  }
  const lines = [
    `Killed at every commit and every HTTP request of a round of two messages in each of two chats (step ${step}).`,
    '',
    `- moments found: ${moments.length}`,
    ...describeRounds(rounds),
  ];
  return { lines, faults: rounds.flatMap(({ faults }) => faults) };
}

interface StormPlan {
  readonly platform: ChatStage['platform'];
  readonly kills: number;
  readonly chats: number;
  readonly perSecond: number;
}
const KILLS_IN_A_STORM = 10;
const STORMS_IN_A_HOME = 5;

/** Killed at random times while people write, consent, send files, pair, and sessions are made smaller. */
async function proveStorms({ platform, kills, chats, perSecond }: StormPlan): Promise<ProofResult> {
  const rounds: KillRound[] = [];
  const first = count('HERMES_SEED', 1);
  const storms = Math.ceil(kills / KILLS_IN_A_STORM);
  for (let storm = 0; storm < storms; storm += STORMS_IN_A_HOME) {
    await using stage = await openKillStage({ platform, chats, strangers: STORMS_IN_A_HOME + 1 });
    for (let seed = first + storm; seed < first + Math.min(storm + STORMS_IN_A_HOME, storms); seed++) {
      const options = { seed: `${platform}/${seed}`, messages: 5 * perSecond, perSecond, kills: KILLS_IN_A_STORM, lifeMs: 3_000 };
      const round = await stage.storm(options);
      rounds.push(round);
      console.log(
        `  ${new Date().toISOString()} ${round.how}: ${round.kills} kills, ${round.messages.length} messages; ${round.faults.join('; ')}`,
      );
    }
  }
  const lines = [
    `SIGKILL at random times (a life lasts up to 3 s) under ${perSecond} messages a second over ${chats} chats: commands, commands that need consent, files, slow answers, sessions that are made smaller, and a person who pairs. Seeds \`${platform}/${first}\` to \`${platform}/${first + storms - 1}\`.`,
    '',
    ...describeRounds(rounds),
  ];
  return { lines, faults: rounds.flatMap(({ faults }) => faults) };
}

const PLATFORMS = ['telegram', 'discord', 'slack'] as const;

async function proveWrongChat(rounds: number): Promise<ProofResult> {
  const first = count('HERMES_SEED', 1);
  const results = [];
  for (let seed = first; seed < first + rounds; seed++) {
    results.push(await runWrongChat({ seed: `wrong-chat/${seed}`, chats: 3, messages: 120, kills: 5 }));
    console.log(`  ${new Date().toISOString()} wrong-chat/${seed}: ${results.at(-1)?.faults.join('; ') ?? ''}`);
  }
  const lines = [
    `Each chat has a nonce, and the model repeats every nonce that it is shown. Three platforms with two accounts each, steering, consent and kills. Seeds \`wrong-chat/${first}\` to \`wrong-chat/${first + rounds - 1}\`. Judged: every request to a platform, every prompt, every workspace.`,
    '',
    `- chats in a round: ${results[0]?.chats ?? 0}`,
    `- messages: ${sum(results.map(({ messages }) => messages))}`,
    `- kills: ${sum(results.map(({ kills }) => kills))}`,
    `- requests with a nonce: ${sum(results.map(({ calls }) => calls))}`,
  ];
  return { lines, faults: results.flatMap(({ faults }) => faults) };
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

async function proveStreaming(texts: number): Promise<ProofResult> {
  const results: (StreamingResult & { readonly platform: string })[] = [];
  const first = count('HERMES_SEED', 1);
  // A home at a time: what one run holds does not grow with all of them.
  const [share, atOnce] = [{ telegram: 0.5, discord: 0.25, slack: 0.25 }, 100];
  for (const platform of PLATFORMS)
    for (let done = 0; done < texts * share[platform]; done += atOnce) {
      const seed = `${platform}/${first + done / atOnce}`;
      results.push({ platform, ...(await runStreaming(platform, seed, Math.min(atOnce, texts * share[platform] - done))) });
      console.log(`  ${new Date().toISOString()} ${seed} ${results.at(-1)?.faults.length ?? 0} faults`);
    }
  const rows = PLATFORMS.map((platform) => {
    const own = results.filter((result) => result.platform === platform);
    return `| ${platform} | ${sum(own.map((each) => each.texts))} | ${sum(own.map((each) => each.messages))} | ${sum(own.map((each) => each.edits))} |`;
  });
  return {
    lines: [
      `Random texts with fences, tables, CJK, emoji and more than a message holds, streamed over a line with faults, beside the same text unstreamed. Seeds from \`PLATFORM/${first}\`, a hundred texts each.`,
      '',
      '| platform | texts | messages | edits |',
      '|---|---|---|---|',
      ...rows,
      '',
    ],
    faults: results.flatMap(({ faults }) => faults),
  };
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
