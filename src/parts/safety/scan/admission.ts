import type { AdmitText, TextOrigin, ThreatFinding } from '../../../contracts/scan.ts';
import { scanText } from './scan.ts';

export interface AdmissionOptions {
  /** The owner let a text with this hash in, by `hermes prompt allow`. */
  readonly allowed: (hash: string) => boolean;
  readonly hash: (text: string) => string;
}

type AdmissionVerdict = 'pass' | 'warn' | 'block';

/** What a finding means, by whose text it is. */
const POLICY: Readonly<Record<'owned' | 'foreign', Readonly<Record<'mild' | 'severe', AdmissionVerdict>>>> = {
  // The owner wrote it, or had it written: a finding is a remark, unless it is plain.
  owned: { mild: 'warn', severe: 'block' },
  // Whoever can write into a project's folder can write this: one sign is enough.
  foreign: { mild: 'block', severe: 'block' },
};

/** The one door through which files, memories and skills reach the prompt. */
export function createAdmission({ allowed, hash }: AdmissionOptions): AdmitText {
  return (text, origin) => {
    const findings = scanText(text, origin.kind);
    if (findings.length === 0 || allowed(hash(text))) return { allow: true, notices: [] };
    if (verdict(origin, findings) === 'warn') return { allow: true, notices: findings.map((finding) => remark(origin, finding)) };
    return { allow: false, notice: notice(origin, findings), marker: marker(origin, findings), findings };
  };
}

function verdict({ owned }: TextOrigin, findings: readonly ThreatFinding[]): AdmissionVerdict {
  return POLICY[owned ? 'owned' : 'foreign'][findings.some(({ severe }) => severe) ? 'severe' : 'mild'];
}

const place = ({ threat, line, excerpt }: ThreatFinding): string => `line ${line}: ${threat} (${excerpt})`;

const remark = ({ name }: TextOrigin, finding: ThreatFinding): string => `${name} was loaded although it looks odd, ${place(finding)}`;

const notice = ({ name, path }: TextOrigin, findings: readonly ThreatFinding[]): string =>
  [
    `${name} was not loaded: it seems to give the agent orders of its own.`,
    ...findings.map((finding) => `  ${place(finding)}`),
    path === undefined
      ? 'Read it. If it is yours and harmless, say it in other words.'
      : `Read it. If it is yours and harmless, let it in as it stands now: hermes prompt allow ${shellWord(path)}`,
  ].join('\n');

const shellWord = (name: string): string => (/^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`);

/** Repeats nothing of the text: the marker is what the model reads in its place. */
const marker = ({ name }: TextOrigin, findings: readonly ThreatFinding[]): string =>
  `[BLOCKED: ${oneLine(name)} was not loaded: it may contain a prompt injection (${[...new Set(findings.map(({ threat }) => threat))].join(', ')})]`;

const oneLine = (name: string): string => name.replaceAll(/[\p{C}[\]]+/gu, ' ').slice(0, 120);
