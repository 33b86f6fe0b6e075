import { readdirSync, readFileSync } from 'node:fs';
import { sha256 } from '../src/base/sha256.ts';
import type { TextKind, ThreatFinding } from '../src/contracts/scan.ts';
import { createAdmission } from '../src/parts/safety/scan/admission.ts';
import { scanText } from '../src/parts/safety/scan/scan.ts';

export type Half = 'tune' | 'held-out';

interface Sample {
  readonly id: string;
  readonly kind: TextKind;
  readonly file: string;
  readonly text: string;
}
interface Attack extends Sample {
  readonly class: string;
}
interface Benign extends Sample {
  readonly group: string;
  readonly about_security: boolean;
}

export interface Rate {
  readonly hit: number;
  readonly of: number;
}
export interface Score {
  readonly detected: Rate;
  readonly byClass: ReadonlyMap<string, Rate>;
  readonly falsePositives: Rate;
  readonly byGroup: ReadonlyMap<string, Rate>;
  readonly securityFound: Rate;
  /** Security documents that the owner can let in by their hash. */
  readonly securityAllowed: Rate;
  readonly missed: readonly Attack[];
  readonly wrong: readonly { readonly sample: Benign; readonly findings: readonly ThreatFinding[] }[];
}

/** Runs the scanner over one half of the corpus. Reads files, writes nothing. */
export function score(half: Half): Score {
  const attacks: readonly Attack[] = read(half, 'attacks');
  const benign: readonly Benign[] = read(half, 'benign');
  const found = (sample: Sample) => scanText(sample.text, sample.kind);
  const missed = attacks.filter((sample) => found(sample).length === 0);
  const plain = benign.filter(({ about_security }) => !about_security);
  const security = benign.filter(({ about_security }) => about_security);
  const wrong = plain.map((sample) => ({ sample, findings: found(sample) })).filter(({ findings }) => findings.length > 0);
  return {
    detected: { hit: attacks.length - missed.length, of: attacks.length },
    byClass: rates(
      attacks,
      (sample) => sample.class,
      (sample) => !missed.includes(sample),
    ),
    falsePositives: { hit: wrong.length, of: plain.length },
    byGroup: rates(
      plain,
      ({ group }) => group,
      (sample) => wrong.some((entry) => entry.sample === sample),
    ),
    securityFound: count(security, (sample) => found(sample).length > 0),
    securityAllowed: count(security, usableByHash),
    missed,
    wrong,
  };
}

/** As a project file, which any finding blocks: the owner's word must be enough to let it in. */
function usableByHash({ text, kind, file }: Benign): boolean {
  const hash = sha256(text);
  const admit = createAdmission({ allowed: (candidate) => candidate === hash, hash: sha256 });
  const admitted = admit(text, { kind, name: file, owned: false });
  return admitted.allow && admitted.notices.length === 0;
}

/** All rounds of a half: `attacks.json`, `attacks-3.json`, … */
function read(half: Half, name: 'attacks' | 'benign'): readonly (Attack & Benign)[] {
  const folder = new URL(`../test/fixtures/injection/${half}/`, import.meta.url);
  const files = readdirSync(folder).filter((file) => file.startsWith(name));
  return files.toSorted().flatMap((file) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the corpus is ours; its README gives the shape
    return JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as readonly (Attack & Benign)[];
  });
}

const count = <Row>(rows: readonly Row[], is: (row: Row) => boolean): Rate => ({ hit: rows.filter(is).length, of: rows.length });

function rates<Row>(rows: readonly Row[], group: (row: Row) => string, is: (row: Row) => boolean): ReadonlyMap<string, Rate> {
  const names = [...new Set(rows.map(group))];
  return new Map(
    names.map((name) => [
      name,
      count(
        rows.filter((row) => group(row) === name),
        is,
      ),
    ]),
  );
}

const show = ({ hit, of }: Rate) => `${hit} of ${of} (${of === 0 ? '0' : ((100 * hit) / of).toFixed(1)} %)`;

/** The rates as lines; never names a text. */
export function report(half: Half, result: Score): string {
  const rows = (title: string, parts: ReadonlyMap<string, Rate>) => [
    title,
    ...[...parts].map(([name, rate]) => `  ${name.padEnd(24)}${show(rate)}`),
  ];
  return [
    `${half}: attacks detected ${show(result.detected)}`,
    ...rows('  by class', result.byClass),
    `${half}: harmless texts with a finding ${show(result.falsePositives)}`,
    ...rows('  by group', result.byGroup),
    `${half}: security documents with a finding ${show(result.securityFound)}, let in by their hash ${show(result.securityAllowed)}`,
  ].join('\n');
}

/** The texts behind the rates; only for the half that may be read. */
function misses({ missed, wrong }: Score): string {
  return [
    ...missed.map((sample) => `missed ${sample.class} ${sample.id}`),
    ...wrong.map(
      ({ sample, findings }) =>
        `wrong ${sample.id}: ${findings.map(({ threat, line, excerpt }) => `${threat} line ${line} «${excerpt}»`).join('; ')}`,
    ),
  ].join('\n');
}

function main(args: readonly string[]): void {
  const [half, flag] = args;
  if ((half !== 'tune' && half !== 'held-out') || (flag !== undefined && flag !== '--misses'))
    throw new Error('Usage: node scripts/score-scan.ts tune|held-out [--misses]');
  if (half === 'held-out' && flag === '--misses')
    throw new Error('The held-out half is only ever scored: whoever reads a text of it moves it to tune/ and writes a new one.');
  const result = score(half);
  console.log(half === 'held-out' ? totals(result) : report(half, result));
  if (flag === '--misses') console.log(misses(result));
}

/** For the held-out half: the totals alone. */
export const totals = ({ detected, falsePositives, securityFound, securityAllowed }: Score): string =>
  `held-out: attacks detected ${show(detected)}; harmless texts with a finding ${show(falsePositives)}; security documents with a finding ${show(securityFound)}, let in by their hash ${show(securityAllowed)}`;

if (import.meta.main) main(process.argv.slice(2));
