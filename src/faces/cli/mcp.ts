import { oneLine } from '../../base/printable.ts';
import { count } from '../../base/screen/figures.ts';
import type { Screen } from '../../base/screen/screen.ts';
import { table, type Cell } from '../../base/screen/table.ts';
import { ago, lasting } from '../../base/screen/when.ts';

/** How things stand with a server, as far as that is known without asking it. */
export type McpState = 'ready' | 'new' | 'login' | 'disabled' | 'broken';

/** What of a server's tools nobody can have, because it brings too many. */
export interface Lack {
  /** How many; more than these where its list does not end. */
  readonly leftOut?: number;
  /** The same in words; absent when nothing is left out. */
  readonly notice?: string;
}
export interface McpRowView extends Lack {
  readonly name: string;
  readonly transport: 'stdio' | 'http' | 'unknown';
  /** Its command line or its address. */
  readonly where: string;
  readonly state: McpState;
  /** What is wrong, for a broken one. */
  readonly problem?: string;
  readonly tools?: number;
  readonly protocol?: string;
  readonly seenAt?: number;
}
export interface McpToolView {
  /** As the model calls it; absent for one the model has not. */
  readonly name?: string;
  /** As the server calls it. */
  readonly tool: string;
  readonly description: string;
  readonly readOnly: boolean;
  /** Left out by the owner's patterns. */
  readonly excluded: boolean;
  /** What of its words the scanner keeps from the model. */
  readonly blocked?: 'description' | 'parameters';
}
export interface McpTestView extends Lack {
  readonly name: string;
  readonly server: string;
  readonly protocol: string;
  readonly connectMs: number;
  readonly latencyMs: number;
  readonly tools: readonly McpToolView[];
}

const STATES: Readonly<Record<McpState, (row: McpRowView, screen: Screen) => Cell>> = {
  ready: ({ tools = 0, seenAt = 0 }, { paint, now }) => ({ text: `${count(tools, 'tool')}, asked ${ago(seenAt, now)}`, paint: paint.good }),
  new: (_, { paint }) => ({ text: 'not asked yet', paint: paint.warn }),
  login: ({ name }, { paint }) => ({ text: `needs a login: hermes mcp test ${name}`, paint: paint.warn }),
  disabled: (_, { paint }) => ({ text: 'switched off', paint: paint.faint }),
  broken: ({ problem = '' }, { paint }) => ({ text: oneLine(problem), paint: paint.bad }),
};

export function renderMcpList(rows: readonly McpRowView[], screen: Screen): string {
  if (rows.length === 0) return 'No MCP servers yet. hermes mcp add NAME --command PROGRAM, or --url ADDRESS, adds one.\n';
  const cells = rows.map((row) => [
    { text: oneLine(row.name), paint: screen.paint.accent },
    row.transport,
    { text: oneLine(row.where), paint: screen.paint.faint },
    STATES[row.state](row, screen),
  ]);
  const columns = [{ heading: 'Server' }, { heading: 'By' }, { heading: 'Where', flexible: true as const }, { heading: 'State' }];
  return `${table(columns, cells, screen).join('\n')}\n`;
}

export const mcpListJson = (rows: readonly McpRowView[]) =>
  rows.map(({ name, transport, where, state, problem, tools, leftOut, protocol, seenAt, notice }) => ({
    name,
    transport,
    where,
    state,
    enabled: state !== 'disabled',
    tools: tools ?? null,
    leftOut: leftOut ?? null,
    protocol: protocol ?? null,
    seenAt: seenAt === undefined ? null : new Date(seenAt).toISOString(),
    problem: problem ?? null,
    notice: notice ?? null,
  }));

export function renderMcpTest(view: McpTestView, screen: Screen): string {
  const { paint } = screen;
  const facts = [
    `${paint.good('✓')} ${paint.strong(oneLine(view.name))} is ${oneLine(view.server) || 'a server without a name'}`,
    `  protocol ${oneLine(view.protocol)}, ready in ${lasting(view.connectMs)}, answers in ${lasting(view.latencyMs)}, ${count(view.tools.length, 'tool')}`,
    ...(view.notice === undefined ? [] : [`  ${paint.warn(oneLine(view.notice))}`]),
  ];
  const cells = view.tools.map((tool) => [
    { text: oneLine(tool.name ?? tool.tool), paint: tool.excluded ? paint.faint : paint.accent },
    { text: tool.readOnly ? 'reads' : 'changes', paint: paint.faint },
    noteOf(tool, screen),
  ]);
  const lines = cells.length === 0 ? [] : table([{ heading: 'Tool' }, { heading: '' }, { heading: '', flexible: true }], cells, screen);
  return `${[...facts, '', ...lines].join('\n').trimEnd()}\n`;
}

export const mcpTestJson = ({ tools, ...view }: McpTestView) => ({
  ok: true,
  ...view,
  tools: tools.map((tool) => ({ name: null, ...tool })),
});

function noteOf({ excluded, blocked, description }: McpToolView, { paint }: Screen): Cell {
  if (excluded) return { text: 'left out by tools.include or tools.exclude', paint: paint.faint };
  if (blocked !== undefined) return { text: `its ${blocked} gives orders and is kept from the model`, paint: paint.bad };
  return { text: oneLine(description) };
}
