import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { WireServer } from '../../src/testing/wire-server/index.ts';
import { filesBelow, knownCanaries, unknownCanaries, type Artefact, type Canary } from './canary-places.ts';
import { hermes, jsonLines, tempHome, type Ran } from './hermes.ts';

/** Two hundred, each in one of the places secrets are kept or stand about in. */
export const KEPT = knownCanaries('KEPT', 50, 'TOKEN');
export const STORED = knownCanaries('STORED', 30, 'token');
export const EXPORTED = knownCanaries('EXPORTED', 40, 'PASSWORD');
export const STRAY = unknownCanaries(80);
/** As many of the stored ones are logins; the others are tokens of servers. */
const IN_AUTH = 15;
export const KNOWN: readonly Canary[] = [...KEPT, ...STORED, ...EXPORTED];
export const ALL: readonly Canary[] = [...KNOWN, ...STRAY];
/** One of them. */
export const one = (canaries: readonly Canary[], index: number): string => canaries[index]?.value ?? assert.fail();

export const HOME = tempHome();
export const PROJECT = mkdtempSync(join(tmpdir(), 'hermes-canary-'));
/** Everything the program leaves lying about beside its home and the project. */
export const ASIDE = mkdtempSync(join(tmpdir(), 'hermes-aside-'));
after(() => [PROJECT, ASIDE].forEach((folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })));

const lines = (canaries: readonly Canary[]): string => canaries.map(({ line }) => `${line}\n`).join('');
export const NOTES = `Notes.\n${lines(ALL)}The end.\n`;
const ENV = { ...Object.fromEntries(EXPORTED.map(({ name, value }) => [name, value])), CUSTOM_API_KEY: one(KEPT, 0) };

export function furnish(): void {
  writeFileSync(join(HOME, '.env'), KEPT.map(({ name, value }) => `${name}='${value}'\n`).join(''));
  const [login, tokens] = [STORED.slice(0, IN_AUTH), STORED.slice(IN_AUTH)];
  writeFileSync(
    join(HOME, 'auth.json'),
    JSON.stringify({ providers: Object.fromEntries(login.map(({ name, value }) => [name, { access_token: value }])) }),
  );
  mkdirSync(join(HOME, 'mcp-tokens'));
  for (const [index, { value }] of tokens.entries())
    writeFileSync(join(HOME, 'mcp-tokens', `server${index}.json`), JSON.stringify({ refresh_token: value }));
  writeFileSync(join(PROJECT, 'notes.txt'), NOTES);
  writeFileSync(join(PROJECT, 'known.json'), JSON.stringify(KNOWN.map(({ value }) => value)));
  writeFileSync(join(PROJECT, 'AGENTS.md'), `# Rules\n\nNever use ${one(KEPT, 1)} here.\n`);
  writeFileSync(join(PROJECT, 'encoded.mjs'), ENCODED);
  writeFileSync(join(PROJECT, 'halves.mjs'), HALVES);
}

/** Every value as programs print it: in base64 at three places, in addresses, in JSON, in hex. */
const ENCODED = `
import { readFileSync } from 'node:fs';
for (const value of JSON.parse(readFileSync('known.json', 'utf8'))) {
  for (const before of ['', 'u:', 'user:']) console.log(Buffer.from(before + value + '!').toString('base64'));
  console.log(Buffer.from(value).toString('base64url'), Buffer.from(value).toString('hex'));
  console.log('https://example.test/?q=' + encodeURIComponent(value), JSON.stringify({ value }), JSON.stringify(JSON.stringify({ value })));
}`;
/** Every value in two pieces that arrive one after the other. */
const HALVES = `
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
for (const value of JSON.parse(readFileSync('known.json', 'utf8'))) {
  process.stdout.write('piece ' + value.slice(0, 7));
  await pause(2);
  process.stdout.write(value.slice(7) + '\\n');
}`;

export const said = (canaries: readonly Canary[]): string => canaries.map(({ value }) => `I saw ${value}.`).join(' ');

export const artefacts: Artefact[] = [];
export const run = async (
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  started?: Parameters<typeof hermes>[1]['started'],
): Promise<Ran> => {
  const ran = await hermes(args, {
    home: HOME,
    cwd: PROJECT,
    ...(args[1] === 'allow' && { onTerminal: true }),
    env: { ...ENV, TMPDIR: ASIDE, ...env },
    ...(started !== undefined && { started }),
  });
  artefacts.push({ name: `stdout of ${name}`, text: ran.out }, { name: `stderr of ${name}`, text: ran.err });
  artefacts.push({ name: `words of ${name}, joined`, text: joined(ran.out) });
  return ran;
};
/** What comes in pieces, as whoever reads along puts it together. */
const joined = (out: string): string =>
  ['text_delta', 'thinking_delta', 'tool_progress']
    .map((type) => jsonLines(out).flatMap((line) => (line['type'] === type ? [String(line['delta'] ?? line['note'])] : [])))
    .map((pieces) => pieces.join(''))
    .join('\n');
export const heard = (name: string, server: WireServer): void =>
  void artefacts.push(
    ...server.requests.map(({ path, text }, index) => ({ name: `request ${index} of ${name}`, text: `${path}\n${text}` })),
  );

/** The name a known one has, by where it is kept. */
export function placeOf({ name }: Canary): string {
  const place = STORED.findIndex((canary) => canary.name === name);
  if (place < 0) return name;
  return place < IN_AUTH ? `auth.providers.${name}.access_token` : `server${place - IN_AUTH}.refresh_token`;
}

/** Where secrets belong: their own files, and the owner's files as they were before a change, which must come back byte for byte. */
export const secretFiles = (): string[] => [
  join(HOME, '.env'),
  join(HOME, 'auth.json'),
  ...['mcp-tokens', 'checkpoints']
    .flatMap((folder) => (existsSync(join(HOME, folder)) ? filesBelow(join(HOME, folder), []) : []))
    .map(({ name }) => name),
];
