import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';

/** A secret made for one run of the test, and how it stands where it is put. */
export interface Canary {
  /** Its name where it is known, else what it looks like. */
  readonly name: string;
  readonly value: string;
  /** The line that holds it where nobody told us about it. */
  readonly line: string;
}

const random = (length: number): string => randomBytes(length).toString('base64url').slice(0, length);
const upper = (length: number): string => randomBytes(length).toString('hex').toUpperCase().slice(0, length);

/** Values somebody told us about: in `.env`, in the credential stores, in the environment. Some hold what JSON, URLs and shells escape. */
export function knownCanaries(prefix: string, count: number, ending: string): Canary[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `${prefix}_${index}_${ending}`;
    const value = index % 5 === 4 ? `${random(10)}/+="${random(8)} é${index}` : `${random(24)}${index}`;
    return { name, value, line: `${name} is ${value}` };
  });
}

/** How a secret looks that nobody told us about. */
type Shape = readonly [name: string, value: () => string, line: (value: string) => string];
const SHAPES: readonly [Shape, ...Shape[]] = [
  ['ghp', () => `ghp_${random(36).replace(/[-_]/g, 'x')}`, (value) => `remote: ${value}`],
  ['sk', () => `sk-${random(40).replace(/[-_]/g, 'y')}`, (value) => `using ${value} now`],
  ['aws', () => `AKIA${upper(16)}`, (value) => `aws_access_key_id: ${value}`],
  ['slack', () => `xoxb-${random(30).replace(/[-_]/g, '7')}`, (value) => `{"bot":"${value}"}`],
  ['jwt', () => `eyJ${random(30)}.${random(40)}.${random(30)}`, (value) => `session ${value}`],
  ['assignment', () => `${random(14)}1a`, (value) => `export DEPLOY_PASSWORD=${value}`],
  ['json', () => `${random(14)}2b`, (value) => `  "clientSecret": "${value}",`],
  ['header', () => `${random(20)}3c`, (value) => `> Authorization: Bearer ${value}`],
  ['database', () => `${random(12).replace(/[-_]/g, 'z')}4d`, (value) => `postgres://app:${value}@db.internal:5432/app`],
  ['query', () => `${random(20)}5e`, (value) => `GET https://api.example.test/v1?access_token=${value}&page=2`],
  ['npm', () => `npm_${random(36).replace(/[-_]/g, 'w')}`, (value) => `//registry.npmjs.org/:_authToken=${value}`],
  ['google', () => `AIza${random(35)}`, (value) => `maps key ${value}`],
];
export const unknownCanaries = (count: number): Canary[] =>
  Array.from({ length: count }, (_, index) => {
    const [name, make, line] = SHAPES[index % SHAPES.length] ?? SHAPES[0];
    const value = make();
    return { name, value, line: line(value) };
  });

/** A place that was looked at, with its bytes as text. */
export interface Artefact {
  readonly name: string;
  readonly text: string;
}

/** Every file below a folder, databases and their logs included. */
export const filesBelow = (folder: string, leaveOut: readonly string[]): Artefact[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    return !entry.isFile() || leaveOut.includes(path) ? [] : [{ name: path, text: readFileSync(path).toString('utf8') }];
  });

/** Where canaries stand that should not: raw, in JSON, in an address, in base64 wherever they begin, in hex. */
export function leaks(canaries: readonly Canary[], artefacts: readonly Artefact[]): string[] {
  const needles = canaries.flatMap(({ name, value }) => [...formsOf(value)].map((form) => ({ name, form })));
  return artefacts.flatMap((artefact) =>
    needles.flatMap(({ name, form }) => (artefact.text.includes(form) ? [`${name} (${form}) in ${artefact.name}`] : [])),
  );
}

const formsOf = (value: string): Set<string> =>
  new Set([
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    Buffer.from(value).toString('hex'),
    ...[0, 1, 2].map((offset) => core(value, offset)),
  ]);

/** The part of base64 that does not depend on what stands before and after. */
const core = (value: string, offset: number): string =>
  Buffer.from(`${'-'.repeat(offset)}${value}`)
    .toString('base64')
    .slice(offset === 0 ? 0 : 4, -4);
