import { toOneLine } from '../../base/printable.ts';
import { formatCount } from '../../base/screen/figures.ts';
import type { Screen } from '../../base/screen/screen.ts';
import { drawTable, type TableCell } from '../../base/screen/table.ts';
import * as mcp from '../../commands/mcp.ts';
import type { AddedMcpServer, RemovedMcpServer, McpRowView, McpState, McpTestView, McpToolView } from '../../contracts/services/tools.ts';
import { toPrintable } from '../../base/printable.ts';
import { wrapText } from '../../base/screen/wrap.ts';
import { renderCommand, type RendererRow } from './renderer.ts';
import { formatAgo, formatDuration } from '../../base/screen/when.ts';

const STATES: Readonly<Record<McpState, (row: McpRowView, screen: Screen) => TableCell>> = {
  ready: ({ tools = 0, seenAt = 0 }, { paint, now }) => ({
    text: `${formatCount(tools, 'tool')}, asked ${formatAgo(seenAt, now)}`,
    paint: paint.good,
  }),
  new: (_, { paint }) => ({ text: 'not tested', paint: paint.warn }),
  login: ({ name }, { paint }) => ({ text: `needs a login: hermes mcp test ${name}`, paint: paint.warn }),
  disabled: (_, { paint }) => ({ text: 'switched off', paint: paint.faint }),
  broken: ({ problem = '' }, { paint }) => ({ text: toOneLine(problem), paint: paint.bad }),
};

export function renderMcpList(rows: readonly McpRowView[], screen: Screen): string {
  if (rows.length === 0) return 'No MCP servers. To add one: hermes mcp add NAME --command PROGRAM, or hermes mcp add NAME --url ADDRESS\n';
  const cells = rows.map((row) => [
    { text: toOneLine(row.name), paint: screen.paint.accent },
    row.transport,
    { text: toOneLine(row.where), paint: screen.paint.faint },
    STATES[row.state](row, screen),
  ]);
  const columns = [{ heading: 'Server' }, { heading: 'By' }, { heading: 'Where', flexible: true as const }, { heading: 'State' }];
  return `${drawTable(columns, cells, screen).join('\n')}\n`;
}

export const toMcpListJson = (rows: readonly McpRowView[]) =>
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
    `${paint.good('✓')} ${paint.strong(toOneLine(view.name))} is ${toOneLine(view.server) || 'a server without a name'}`,
    `  protocol ${toOneLine(view.protocol)}, ready in ${formatDuration(view.connectMs)}, answers in ${formatDuration(view.latencyMs)}, ${formatCount(view.tools.length, 'tool')}`,
    ...(view.notice === undefined ? [] : [`  ${paint.warn(toOneLine(view.notice))}`]),
  ];
  const cells = view.tools.map((tool) => [
    { text: toOneLine(tool.name ?? tool.tool), paint: tool.excluded ? paint.faint : paint.accent },
    { text: tool.readOnly ? 'reads' : 'changes', paint: paint.faint },
    noteOf(tool, screen),
  ]);
  const lines = cells.length === 0 ? [] : drawTable([{ heading: 'Tool' }, { heading: '' }, { heading: '', flexible: true }], cells, screen);
  return `${[...facts, '', ...lines].join('\n').trimEnd()}\n`;
}

export const toMcpTestJson = ({ tools, ...view }: McpTestView) => ({
  ok: true,
  ...view,
  tools: tools.map((tool) => ({ name: null, ...tool })),
});

function noteOf({ excluded, blocked, description }: McpToolView, { paint }: Screen): TableCell {
  if (excluded) return { text: 'left out by tools.include or tools.exclude', paint: paint.faint };
  if (blocked !== undefined) return { text: `blocked: its ${blocked} contains instructions for the model`, paint: paint.bad };
  return { text: toOneLine(description) };
}

const added = ({ name, file, envFile, variables }: AddedMcpServer): string[] => [
  `Added ${name} to ${file}.`,
  ...(variables.length === 0 ? [] : [`Its secrets are in ${envFile}, which only you can read: ${variables.join(', ')}.`]),
  `Try it: hermes mcp test ${name}`,
];
const removed = ({ name, file, envFile, login, variablesRemoved, variablesLeft }: RemovedMcpServer): string[] => [
  `Removed ${name} from ${file}${login ? ', and its login' : ''}. Running sessions keep it until they end.`,
  ...(variablesRemoved.length === 0 ? [] : [`Removed its secrets from ${envFile}: ${variablesRemoved.join(', ')}.`]),
  ...(variablesLeft.length === 0 ? [] : [`Kept in ${envFile}, because other programs may use them: ${variablesLeft.join(', ')}.`]),
];
const paragraphs = (lines: readonly string[], { columns }: Screen): string =>
  `${lines.flatMap((line) => wrapText(line, columns)).join('\n')}\n`;

/** Where secrets are is for people; scripts know it from `hermes config path`. */
const withoutEnvFile = (result: AddedMcpServer | RemovedMcpServer) => ({ ...result, envFile: undefined });

export const ROWS: readonly RendererRow[] = [
  renderCommand(mcp.mcpList, {
    text: ({ servers }, screen) => renderMcpList(servers, screen),
    json: ({ servers }) => toMcpListJson(servers),
    notices: ({ notices }) => notices.map((words) => `hermes: ${toPrintable(words)}`),
  }),
  renderCommand(mcp.mcpAdd, { text: (result, screen) => paragraphs(added(result), screen), json: withoutEnvFile }),
  renderCommand(mcp.mcpTest, {
    text: (result, screen) => (result.ok ? renderMcpTest(result.server, screen) : ''),
    json: (result) => (result.ok ? toMcpTestJson(result.server) : { name: result.name, ok: false, error: result.error }),
    notices: (result, json) => (result.ok || json ? [] : [`hermes: the MCP server ${result.name} could not be reached: ${result.error}`]),
    visit: ({ loginUrl }) => loginUrl,
  }),
  renderCommand(mcp.mcpRemove, { text: (result, screen) => paragraphs(removed(result), screen), json: withoutEnvFile }),
];
