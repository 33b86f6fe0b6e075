import { isCut } from '../../base/brief.ts';
import { toVisibleLine } from '../../base/visible.ts';
import { measureWidth, fitWidth } from '../../base/width.ts';
import { drawAct, drawNotes } from '../../base/screen/act.ts';
import { formatWhole } from '../../base/screen/figures.ts';
import type { Screen } from '../../base/screen/screen.ts';
import { drawTable } from '../../base/screen/table.ts';
import { approvalsAllow, approvalsDeny, approvalsList, approvalsShow, type DecidedApproval } from '../../commands/approvals.ts';
import type { ApprovalLine } from '../../contracts/services/owner.ts';
import { renderCommand, type CommandRenderer, type RendererRow } from './renderer.ts';
import { formatAgo } from '../../base/screen/when.ts';

export function renderApprovals(rows: readonly ApprovalLine[], screen: Screen): string {
  if (rows.length === 0) return 'No pending questions.\n';
  const { paint, now } = screen;
  const tint = tintsOf(screen);
  const columns = [
    { heading: 'id' },
    { heading: 'when' },
    { heading: 'state' },
    { heading: 'tool' },
    { heading: 'what', flexible: true as const, fit: fitSaying },
  ];
  const lines = drawTable(
    columns,
    rows.map(({ id, at, state, tool, summary }) => [
      toVisibleLine(id),
      formatAgo(at, now),
      { text: state, paint: tint[state] },
      toVisibleLine(tool),
      toVisibleLine(summary),
    ]),
    screen,
  );
  const open = rows.some(({ state }) => state === 'open');
  return `${lines.join('\n')}\n${open ? `\n${paint.faint('Details: hermes approvals show ID. Answer: hermes approvals allow ID, or hermes approvals deny ID.')}\n` : ''}`;
}

const tintsOf = ({ paint }: Screen) => ({ open: paint.warn, allowed: paint.good, denied: paint.bad, used: paint.faint }) as const;

/** As much as fits, and how many characters do not. */
function fitSaying(text: string, columns: number): string {
  if (measureWidth(text) <= columns) return text;
  const cut = fitWidth(text, columns - ` +${formatWhole(text.length)}`.length);
  return `${cut} +${formatWhole(text.length - cut.length + 1)}`;
}

export function renderApproval(line: ApprovalLine, screen: Screen): string {
  const { id, at, state, tool, summary, reason, cwd, files = [], sessionId } = line;
  const { paint, columns, now } = screen;
  const notes = [
    `asked because ${reason}`,
    ...(cwd === undefined ? [] : [`in ${cwd}`]),
    ...(files.length === 0 ? [] : [`applies to the present content of ${files.join(', ')}; if it changes, Hermes asks again`]),
    ...(sessionId === undefined
      ? []
      : [`in session ${sessionId}${isCut(summary) ? `; hermes sessions show ${sessionId} --json has all of it` : ''}`]),
  ];
  return [
    `${paint.strong(toVisibleLine(id))}  ${tintsOf(screen)[state](state)}  asked ${formatAgo(at, now)} by ${toVisibleLine(tool)}`,
    ...drawAct(summary, columns),
    ...drawNotes(notes, columns),
    '',
  ].join('\n');
}

/** What was answered, and what comes of it: `told` when the session will hear of it. */
export function renderDecided({ state, tool, summary, sessionId }: ApprovalLine, told: boolean, { columns, paint }: Screen): string {
  const word = state === 'allowed' ? paint.good('Allowed, once') : paint.bad('Denied');
  return [
    `${word}: ${toVisibleLine(tool)}`,
    ...drawAct(summary, columns),
    ...(told && sessionId !== undefined ? [`To continue: hermes chat --resume ${toVisibleLine(sessionId)}`] : []),
    '',
  ].join('\n');
}

export const toApprovalJson = ({ at, ...line }: ApprovalLine) => ({ ...line, at: new Date(at).toISOString() });

const decided: CommandRenderer<DecidedApproval> = {
  text: ({ question, told }, screen) => renderDecided(question, told, screen),
  json: ({ question, told }) => ({ ...toApprovalJson(question), told }),
};
export const ROWS: readonly RendererRow[] = [
  renderCommand(approvalsList, { text: renderApprovals, json: (rows) => rows.map(toApprovalJson) }),
  renderCommand(approvalsShow, { text: renderApproval, json: toApprovalJson }),
  renderCommand(approvalsAllow, decided),
  renderCommand(approvalsDeny, decided),
];
