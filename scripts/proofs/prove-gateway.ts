/**
 * The gateway in full size. Each proof writes its own section of docs/proofs/gateway.md and leaves the others as they are:
 *   npm run prove -- gateway
 *   HERMES_GATEWAY_PROOFS=kill-telegram,storm-slack npm run prove -- gateway
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { openKillStage, type KillRound } from '../../test/faces/gateway/kill/harness.ts';
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

A gateway as a process of its own, with its store on disk, a model and a chat platform over real sockets. The platform's own log is the judge; nothing is asked of the gateway. Repeat with \`npm run prove -- gateway\`; \`HERMES_GATEWAY_PROOFS=NAME\` runs one of them. Sections that have not been run in full are not here.`;

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
