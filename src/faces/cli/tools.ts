/** A tool as the owner sees it. */
export interface ToolLine {
  readonly name: string;
  readonly description: string;
  /** None for a tool the context engine brings along with all of them. */
  readonly toolsets: readonly string[];
  readonly available: boolean;
  /** Why it is not there. */
  readonly reason?: string;
  /** What a call does to the world; `depends` when its arguments decide. */
  readonly effects: 'read' | 'write' | 'depends';
  /** Whether a call that a crash interrupted may run again. */
  readonly replay: 'safe' | 'never';
}
export interface ToolsetLine {
  readonly name: string;
  readonly description: string;
  readonly tools: readonly string[];
}

export function renderTools(tools: readonly ToolLine[], toolsets: readonly ToolsetLine[]): string {
  const width = widest([...tools, ...toolsets].map(({ name }) => name));
  const toolLines = tools.flatMap((tool) => [
    `${tool.available ? '✓' : '–'} ${tool.name.padEnd(width)}  ${tool.available ? oneLine(tool.description) : `not available: ${tool.reason ?? 'it says so itself'}`}`,
    ...(tool.available ? [`  ${' '.repeat(width)}  ${facts(tool)}`] : []),
  ]);
  const setLines = toolsets.map(
    ({ name, description, tools: members }) =>
      `  ${name.padEnd(width)}  ${description}: ${members.length === 0 ? 'none' : members.join(', ')}`,
  );
  return ['Tools', ...toolLines, '', 'Toolsets (choose with -t or the setting toolsets)', ...setLines].join('\n');
}

const facts = ({ effects, replay, toolsets }: ToolLine): string =>
  `${EFFECTS[effects]}; ${REPLAY[replay]}; ${toolsets.length === 0 ? 'with every toolset' : `in ${toolsets.join(', ')}`}`;
const EFFECTS = { read: 'only reads', write: 'changes things', depends: 'reads or changes, as its call says' } as const;
const REPLAY = { safe: 'repeated after a crash', never: 'never repeated after a crash' } as const;

/** The first sentence. */
const oneLine = (text: string): string => /^[^\n]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text.split('\n')[0] ?? '';
const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => text.length));
