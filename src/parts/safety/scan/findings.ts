import type { ThreatFinding } from '../../../contracts/scan.ts';
import { spellOut } from './characters/unseen.ts';

/** Where something was found in the original text. */
export interface ScanFound {
  readonly threat: string;
  readonly severe: boolean;
  readonly at: number;
  readonly end: number;
  /** What to show instead of the text itself, for what was decoded. */
  readonly shown?: string;
}

const LONGEST_EXCERPT = 80;
const MAX_PER_THREAT = 10;

/** One finding per class and line, in the order of the text; the severe one of two is kept. */
export function collectFindings(text: string, found: readonly ScanFound[]): readonly ThreatFinding[] {
  const lineAt = lineCounter(text);
  const kept = new Map<string, ThreatFinding>();
  const counts = new Map<string, number>();
  for (const { threat, severe, at, end, shown } of found.toSorted((a, b) => a.at - b.at)) {
    const line = lineAt(at);
    const key = `${threat} ${line}`;
    const known = kept.get(key);
    if (known !== undefined && (known.severe || !severe)) continue;
    const count = counts.get(`${threat} ${severe}`) ?? 0;
    if (known === undefined && count >= MAX_PER_THREAT) continue;
    counts.set(`${threat} ${severe}`, count + 1);
    kept.set(key, { threat, severe, line, excerpt: excerpt(shown ?? text.slice(at, Math.min(end, at + 200))) });
  }
  return [...kept.values()];
}

const excerpt = (text: string): string => {
  const line = spellOut(text.replaceAll(/\s+/g, ' ').trim());
  return line.length <= LONGEST_EXCERPT ? line : `${line.slice(0, LONGEST_EXCERPT - 1)}…`;
};

/** Offsets come in order, so the text is counted through once. */
function lineCounter(text: string): (at: number) => number {
  let line = 1;
  let next = text.indexOf('\n');
  return (at) => {
    for (; next >= 0 && next < at; next = text.indexOf('\n', next + 1)) line++;
    return line;
  };
}
