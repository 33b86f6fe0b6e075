import type { Screen } from '../../base/screen/screen.ts';
import { doctor } from '../../commands/doctor.ts';
import type { Finding } from '../../contracts/services/insight.ts';
import { renderCommand, type RendererRow } from './renderer.ts';

export const ROWS: readonly RendererRow[] = [
  renderCommand(doctor, { text: ({ findings }, screen) => `${renderFindings(findings, screen)}\n`, json: ({ findings }) => findings }),
];

function renderFindings(findings: readonly Finding[], { paint }: Screen): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const open = findings.filter(({ ok }) => !ok).length;
  const lines = findings.flatMap(({ name, ok, words, cure }) => [
    `${ok ? paint.good('✓') : paint.bad('✗')} ${paint.strong(name.padEnd(width))}  ${words}`,
    ...(cure === undefined ? [] : [`  ${' '.repeat(width)}  ${(ok ? paint.faint : paint.warn)(`→ ${cure}`)}`]),
  ]);
  const end = open === 0 ? 'Everything is in order.' : `${open} ${open === 1 ? 'thing needs' : 'things need'} you.`;
  return [...lines, '', end].join('\n');
}
