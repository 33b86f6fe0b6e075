import { toOneLine, toPrintable } from '../../base/printable.ts';
import { toVisibleLine } from '../../base/visible.ts';
import * as skills from '../../commands/skills.ts';
import type { SkillCheckView, SkillInstallView, SkillRowView, SkillSurveyView, SkillView } from '../../contracts/services/skills.ts';
import { renderCommand, type RendererRow } from './renderer.ts';
import { formatCount, formatWhole } from '../../base/screen/figures.ts';
import type { Screen } from '../../base/screen/screen.ts';
import { drawTable, type TableCell } from '../../base/screen/table.ts';

export function renderSkills({ rows, problems }: SkillSurveyView, screen: Screen): string {
  const { paint } = screen;
  const width = Math.max(0, ...rows.map(({ skill }) => skill.name.length));
  const categories = [...new Set(rows.map(({ skill }) => skill.category))];
  const groups = categories.map((category) => groupLines(category, rows, width, screen).join('\n'));
  const hidden = rows.filter((row) => row.hidden !== undefined).length;
  const sum = `${formatCount(rows.length, 'skill')}${hidden === 0 ? '' : `, ${formatWhole(hidden)} of them hidden`}`;
  const troubles = [...rows.flatMap(({ skill, problems: own }) => own.map((words) => ({ path: skill.folder, words }))), ...problems];
  const lines = troubles.map(({ path, words }) => `${paint.warn('!')} ${toPrintable(path)}: ${toOneLine(words)}`);
  return `${[...groups, paint.faint(sum), ...(lines.length === 0 ? [] : [lines.join('\n')])].join('\n\n')}\n`;
}

function groupLines(category: string, rows: readonly SkillRowView[], width: number, { paint, columns }: Screen): string[] {
  const drawn = rows
    .filter(({ skill }) => skill.category === category)
    .map((row): readonly (string | TableCell)[] => {
      const shown = row.hidden === undefined;
      const about = shown ? toOneLine(row.skill.description) : `hidden: ${toOneLine(row.hidden)}`;
      return [
        { text: row.skill.name.padEnd(width), paint: shown ? paint.accent : paint.faint },
        { text: originOf(row).padEnd(ORIGIN_WIDTH), paint: paint.faint },
        shown ? about : { text: about, paint: paint.faint },
      ];
    });
  const [heading = '', ...lines] = drawTable([{ heading: toOneLine(category) }, { heading: '' }, { heading: '', flexible: true }], drawn, {
    paint,
    columns,
  });
  return [paint.strong(heading), ...lines];
}

/** Of the longest origin: groups stand below each other in one line. */
const ORIGIN_WIDTH = 'by the agent'.length;
const originOf = ({ skill, source, madeByAgent }: SkillRowView): string =>
  skill.origin !== 'user' ? skill.origin : source !== undefined ? 'installed' : madeByAgent ? 'by the agent' : 'yours';

export function renderSkill({ skill, page, files, missing, admission }: SkillView, { paint }: Screen): string {
  const facts: readonly (readonly [string, string])[] = [
    ['category', skill.category],
    ['origin', skill.origin],
    ...(skill.version === undefined ? [] : [['version', skill.version] as const]),
    ['folder', skill.folder],
    ...(skill.related.length === 0 ? [] : [['related', skill.related.join(', ')] as const]),
    ...files.map(({ path, bytes }, index) => [index === 0 ? 'files' : '', `${path} (${formatWhole(bytes)} bytes)`] as const),
  ];
  const notices = admission.allow ? admission.notices : [admission.notice];
  return `${[
    `${paint.strong(skill.name)}  ${toOneLine(skill.description)}`,
    ...facts.map(([label, words]) => `${paint.faint(label.padEnd(9))} ${toOneLine(words)}`),
    ...missing.map((each) => paint.warn(`missing: ${missingWords(each)}`)),
    ...notices.map((words) => (admission.allow ? paint.warn : paint.bad)(toOneLine(words))),
    '',
    toPrintable(page.body).trim(),
  ].join('\n')}\n`;
}

const missingWords = ({ kind, name, purpose }: SkillView['missing'][number]): string =>
  `${kind === 'variable' ? 'environment variable' : 'file'} ${toOneLine(name)}${purpose === undefined ? '' : ` (${toOneLine(purpose)})`}`;

export function renderSkillChecks(checks: readonly SkillCheckView[], { paint }: Screen): string {
  const bad = checks.filter(({ issues }) => issues.length > 0);
  const blocks = bad.map(({ name, folder, issues }) =>
    [
      `${paint.strong(toOneLine(name))}  ${paint.faint(toPrintable(folder))}`,
      ...issues.map(({ words, severe }) => `  ${severe ? paint.bad('✗') : paint.warn('!')} ${toOneLine(words)}`),
    ].join('\n'),
  );
  const sum =
    bad.length === 0
      ? paint.good(`✓ ${formatCount(checks.length, 'skill')} looked at, nothing found`)
      : paint.faint(`${formatCount(checks.length, 'skill')} looked at, something found in ${formatWhole(bad.length)}`);
  return `${[...blocks, sum].join('\n\n')}\n`;
}

/** What is asked about before a skill is installed: nothing is taken out of it, and each thing stays in its line. */
export function renderInstallPlan(plan: SkillInstallView, { paint }: Screen): string {
  const bytes = plan.files.reduce((sum, file) => sum + file.bytes, 0);
  return `${[
    `${paint.strong(toVisibleLine(plan.name))}  ${toVisibleLine(plan.description)}`,
    `${paint.faint('from')} ${toVisibleLine(plan.source)}`,
    `${paint.faint('to')}   ${toVisibleLine(plan.target)}, ${formatCount(plan.files.length, 'file')}, ${formatWhole(bytes)} bytes`,
    ...plan.files.map(({ path }) => `     ${toVisibleLine(path)}`),
    ...plan.absent.map((path) => paint.warn(`it speaks of ${toVisibleLine(path)}, which its source does not have`)),
    ...(plan.replaces === undefined ? [] : [paint.warn(`it replaces ${toVisibleLine(plan.replaces)}; the old one goes to .trash`)]),
    ...(plan.covers === undefined ? [] : [paint.warn(`it takes precedence over ${toVisibleLine(plan.covers)} from then on`)]),
    ...plan.findings.map((each) =>
      paint.bad(`${toVisibleLine(each.file)} line ${each.line}: ${each.threat} (${toVisibleLine(each.excerpt)})`),
    ),
  ].join('\n')}\n`;
}

/** One row for each skill, as scripts read it. */
export const toSkillsJson = ({ rows }: SkillSurveyView) =>
  rows.map(({ skill, hidden, source, madeByAgent, problems }) => ({
    name: skill.name,
    description: skill.description,
    category: skill.category,
    origin: skill.origin,
    folder: skill.folder,
    version: skill.version ?? null,
    tags: skill.tags,
    shown: hidden === undefined,
    hidden_because: hidden ?? null,
    source: source ?? null,
    made_by_agent: madeByAgent,
    problems,
  }));

export const toSkillChecksJson = (checks: readonly SkillCheckView[]) =>
  checks.map(({ name, folder, origin, issues }) => ({ name, folder, origin: origin ?? null, ok: issues.length === 0, issues }));

export const ROWS: readonly RendererRow[] = [
  renderCommand(skills.skillsList, { text: renderSkills, json: toSkillsJson }),
  renderCommand(skills.skillsView, {
    text: (result, screen) => {
      if ('skill' in result) return renderSkill(result.skill, screen);
      return screen.watched ? toPrintable(result.text) : result.text;
    },
  }),
  renderCommand(skills.skillsInstall, {
    text: ({ rows }) =>
      rows
        .map((row) => (row.did === 'installed' ? `Installed ${toPrintable(row.plan.name)} in ${toPrintable(row.plan.target)}.\n` : ''))
        .join(''),
    notices: ({ rows }) =>
      rows.flatMap((row) => (row.did === 'installed' ? [] : [`hermes: ${toPrintable(row.name)}: ${toPrintable(row.words)}`])),
    json: ({ rows }) =>
      rows.map((row) =>
        row.did === 'installed'
          ? { name: row.plan.name, installed: true, folder: row.plan.target }
          : { name: row.name, installed: false, reason: row.words },
      ),
    progress: (plan, streams, screen) => streams.err(`${renderInstallPlan(plan, screen)}\n`),
  }),
  renderCommand(skills.skillsRemove, { text: ({ name, trash }) => `Moved ${toPrintable(name)} to ${toPrintable(trash)}.\n` }),
  renderCommand(skills.skillsCheck, {
    text: ({ checks }, screen) => renderSkillChecks(checks, screen),
    json: ({ checks }) => toSkillChecksJson(checks),
  }),
];
