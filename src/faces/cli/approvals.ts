import { oneLine } from '../../base/printable.ts';
import type { Screen } from './screen.ts';
import { table } from './table.ts';
import { ago } from './when.ts';

/** A question nobody answered, as the owner sees it. */
export interface ApprovalLine {
  readonly id: string;
  readonly at: number;
  readonly state: 'open' | 'allowed' | 'denied' | 'used';
  readonly tool: string;
  readonly summary: string;
  readonly reason: string;
  readonly sessionId?: string;
}

export function renderApprovals(rows: readonly ApprovalLine[], screen: Screen): string {
  if (rows.length === 0) return 'Nothing waits for your word.\n';
  const { paint, now } = screen;
  const tint = { open: paint.warn, allowed: paint.good, denied: paint.bad, used: paint.faint } as const;
  const columns = [
    { heading: 'id' },
    { heading: 'when' },
    { heading: 'state' },
    { heading: 'tool' },
    { heading: 'what', flexible: true as const },
  ];
  const lines = table(
    columns,
    rows.map(({ id, at, state, tool, summary }) => [id, ago(at, now), { text: state, paint: tint[state] }, tool, oneLine(summary)]),
    screen,
  );
  const open = rows.some(({ state }) => state === 'open');
  return `${lines.join('\n')}\n${open ? `\n${paint.faint('hermes approvals show ID says why it was asked; allow ID or deny ID answers it.')}\n` : ''}`;
}

export const renderApproval = ({ id, state, tool, summary, reason, sessionId }: ApprovalLine, { paint }: Screen): string =>
  [
    `${paint.strong(id)}  ${state}`,
    `  ${tool}: ${summary.split('\n').map(oneLine).join('\n    ')}`,
    `  asked because ${oneLine(reason)}`,
    ...(sessionId === undefined ? [] : [`  in session ${sessionId}`]),
    '',
  ].join('\n');
