import type { Paint } from '../../base/screen/paint.ts';
import type { Screen } from '../../base/screen/screen.ts';
import { doctor, type AppliedFix } from '../../commands/doctor.ts';
import type { CheckupFinding } from '../../contracts/services/insight.ts';
import { wrapText } from '../../base/screen/wrap.ts';
import { renderCommand, type RendererRow } from './renderer.ts';

export const ROWS: readonly RendererRow[] = [
  renderCommand(doctor, {
    text: ({ findings, fixes }, screen) => `${[...renderFixes(fixes, screen), renderFindings(findings, screen)].join('\n')}\n`,
    json: ({ findings, fixes }) =>
      findings.map((finding) => {
        const applied = fixes.find(({ name }) => name === finding.name);
        return applied === undefined ? finding : { ...finding, fixed: { result: applied.result, words: applied.words } };
      }),
  }),
];

function renderFixes(fixes: readonly AppliedFix[], { paint, columns }: Screen): string[] {
  const lines = fixes.flatMap(({ name, result, words }) =>
    wrapText(`${name}: ${FIX_WORDS[result]}${words}`, columns).map((line) => (result === 'done' ? paint.good(line) : paint.warn(line))),
  );
  return lines.length === 0 ? [] : [...lines, ''];
}
const FIX_WORDS: Readonly<Record<AppliedFix['result'], string>> = {
  done: 'fixed; ',
  failed: 'not fixed: ',
  declined: 'left as it is; the fix would ',
  needs_yes: 'add --yes to ',
};

function renderFindings(findings: readonly CheckupFinding[], screen: Screen): string {
  const open = findings.filter(({ ok }) => !ok).length;
  const fixable = findings.some(({ ok, fix }) => !ok && fix !== undefined) ? ' To fix what can be fixed: hermes doctor --fix' : '';
  const warned = findings.filter(({ ok, warn }) => ok && warn === true).length;
  const fine =
    warned === 0 ? 'Everything is in order.' : `No problems found, but read the ${warned === 1 ? 'line' : 'lines'} marked with !.`;
  const end = open === 0 ? fine : `${open} ${open === 1 ? 'problem' : 'problems'} found.${fixable}`;
  return [...renderFindingLines(findings, screen), '', end].join('\n');
}

/** Beside the names where there is room for it, else below them. */
const BESIDE_COLUMNS = 60;

/** Each with a mark, its name and its words; what to do stands below. */
export function renderFindingLines(findings: readonly CheckupFinding[], { paint, columns }: Screen): string[] {
  const width = columns < BESIDE_COLUMNS ? 0 : Math.max(...findings.map(({ name }) => name.length));
  const indent = ' '.repeat(width + (width === 0 ? 2 : 4));
  return findings.flatMap((finding) => {
    const { name, ok, warn, words, cure } = finding;
    const mark = markOf(finding, paint);
    const [first = '', ...rest] = wrapText(words, columns - indent.length);
    const beside =
      width === 0 ? [`${mark} ${paint.strong(name)}`, `${indent}${first}`] : [`${mark} ${paint.strong(name.padEnd(width))}  ${first}`];
    const below =
      cure === undefined ? [] : wrapText(`→ ${cure}`, columns - indent.length).map(ok && warn !== true ? paint.faint : paint.warn);
    return [...beside, ...[...rest, ...below].map((line) => `${indent}${line}`)];
  });
}

function markOf({ ok, warn, absent }: CheckupFinding, paint: Paint): string {
  if (!ok) return paint.bad('✗');
  if (warn === true) return paint.warn('!');
  return absent === true ? paint.faint('–') : paint.good('✓');
}
