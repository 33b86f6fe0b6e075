import { join } from 'node:path';
import { readTextFile } from '../../../base/text-file.ts';
import type { ScanText, ThreatFinding } from '../../../contracts/scan.ts';
import { listSkillFiles } from '../view/files.ts';

export interface FileFinding extends ThreatFinding {
  readonly file: string;
}
export interface Inspection {
  readonly findings: readonly FileFinding[];
  /** Files that are no text and so could not be looked into. */
  readonly unread: readonly string[];
}

const MAX_BYTES = 8 * 1024 * 1024;

/** Scans every text file of a folder. */
export function inspect(folder: string, scan: ScanText): Inspection {
  const findings: FileFinding[] = [];
  const unread: string[] = [];
  for (const { path } of listSkillFiles(folder).files) {
    const file = readTextFile(join(folder, path), MAX_BYTES);
    if (file.ok) findings.push(...scan(file.text, 'skill').map((finding) => ({ file: path, ...finding })));
    else unread.push(path);
  }
  return { findings, unread };
}

type Grade = 'clean' | 'doubtful' | 'severe';
/** What becomes of a skill from outside, by what was found in it. */
const POLICY: Readonly<Record<Grade, 'install' | 'force' | 'refuse'>> = { clean: 'install', doubtful: 'force', severe: 'refuse' };

const gradeOf = ({ findings }: Inspection): Grade =>
  findings.length === 0 ? 'clean' : findings.some(({ severe }) => severe) ? 'severe' : 'doubtful';

/** Words of refusal, or nothing when it may be installed. */
export function checkInstallPolicy(inspection: Inspection, force: boolean): string | undefined {
  const hidden = inspection.unread.find((path) => !path.startsWith('assets/'));
  if (hidden !== undefined) return `${hidden} is not text and cannot be scanned. Only files in assets/ can be binary.`;
  const rule = POLICY[gradeOf(inspection)];
  if (rule === 'install' || (rule === 'force' && force)) return undefined;
  const told = inspection.findings.slice(0, 5).map(({ file, threat, line, excerpt }) => `${file} line ${line}: ${threat} (${excerpt})`);
  const cure = rule === 'force' ? 'Review these lines. To install anyway, add --force.' : 'It cannot be installed, not even with --force.';
  return `The scan found:\n${told.map((line) => `  ${line}`).join('\n')}\n${cure}`;
}
