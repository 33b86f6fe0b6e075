import { toOneLine } from '../../../base/printable.ts';
import { clip } from '../../../base/text.ts';
import type { Skill } from '../../../contracts/skills.ts';
import type { TerminalInfo } from '../../../contracts/terminal.ts';
import type { LinkedFile } from './files.ts';
import type { OpenSkill } from './open.ts';
import { describeMissingSetup, type MissingSetup } from './setup.ts';

/** Characters of a page or a file that are shown; more is cut in its middle. */
const MAX_SHOWN = 100_000;
const MAX_LISTED = 100;

/** Who reads a skill, and from where. */
export interface SkillReader {
  readonly sessionId: string;
  /** Where the reader's commands run; absent for this machine itself. */
  readonly place?: TerminalInfo | undefined;
}
const isSeenFrom = (place: TerminalInfo | undefined): boolean => place === undefined || place.onThisMachine === true;
const UNSEEN =
  ' (commands of this session cannot see it; to run a script of it, open the script with skill_view and write it to a file there)';

/** A skill as the model reads it: what it is, where it lies, what belongs to it, then its own words. */
export function renderSkillView({ skill, page, files, missing }: OpenSkill, { sessionId, place }: SkillReader): string {
  const head = [
    `Skill ${skill.name} (${[skill.category, ...(skill.version === undefined ? [] : [`version ${toOneLine(skill.version)}`]), skill.origin].join(', ')})`,
    ...(skill.description === '' ? [] : [toOneLine(skill.description)]),
    `Folder: ${skill.folder}${isSeenFrom(place) ? '' : UNSEEN}`,
    ...filesWords(skill, files),
    ...(skill.related.length === 0 ? [] : [`Related skills: ${toOneLine(skill.related.join(', '))}`]),
    ...missingLines(missing),
  ];
  return `${head.join('\n')}\n\n${boundText(fillSkillVariables(page.body, skill.folder, sessionId))}`;
}

/** The two names a skill may use for where it lies and who runs it. */
export const fillSkillVariables = (text: string, folder: string, sessionId: string): string =>
  text.replaceAll('${HERMES_SKILL_DIR}', () => folder).replaceAll('${HERMES_SESSION_ID}', () => sessionId);

export const boundText = (text: string): string =>
  clip(
    text.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd(),
    MAX_SHOWN,
    (omitted) => `\n[… ${omitted} characters left out; read the file itself for them …]\n`,
  );

function filesWords({ name }: Skill, files: readonly LinkedFile[]): readonly string[] {
  if (files.length === 0) return [];
  const rows = files.slice(0, MAX_LISTED).map(({ path, bytes }) => `- ${toOneLine(path)} (${bytes} bytes)`);
  const more = files.length > MAX_LISTED ? [`- and ${files.length - MAX_LISTED} more`] : [];
  return [`Linked files, opened with skill_view("${name}", file_path):`, ...rows, ...more];
}

const missingLines = (missing: readonly MissingSetup[]): readonly string[] =>
  missing.length === 0
    ? []
    : [
        `Set-up missing: ${missing.map(describeMissingSetup).join('; ')}. Do what works without it first, or tell the user what to set; never ask for a secret in the chat.`,
      ];
