import { toOneLine } from '../../base/printable.ts';
import { measureWidth, padEndTo } from '../../base/width.ts';
import type { Paint, Tint } from '../../base/screen/paint.ts';
import type { Screen } from '../../base/screen/screen.ts';
import { takeFirstSentence } from '../../commands/describe.ts';
import { toolsDisable, toolsEnable, toolsList } from '../../commands/tools.ts';
import type { ToolSwitchResult, ToolLine, ToolList, ToolsetLine } from '../../contracts/services/tools.ts';
import { renderCommand, type CommandRenderer, type RendererRow } from './renderer.ts';
import { wrapText } from '../../base/screen/wrap.ts';

export function renderTools({ session, tools, toolsets }: ToolList, screen: Screen): string {
  const { paint, columns } = screen;
  const width = nameColumn(
    [...tools, ...toolsets].map(({ name }) => toOneLine(name)),
    screen,
  );
  return [
    ...('problem' in session
      ? wrapText(`No session can start: ${toOneLine(session.problem)}`, columns).map(paint.bad)
      : [
          paint.strong('In the next session'),
          ...wrapText(`toolsets: ${session.toolsets.map(toOneLine).join(', ')}`, columns - 2).map((line) => `  ${paint.faint(line)}`),
        ]),
    ...rowsOf(tools.filter(({ inSession }) => inSession)),
    ...titled('Not in the next session', rowsOf(tools.filter(({ inSession }) => !inSession))),
    '',
    paint.strong('Toolsets'),
    ...wrapText('choose with -t or the setting toolsets', columns - 2).map((line) => `  ${paint.faint(line)}`),
    ...toolsets.flatMap((set) => row(set, [{ text: membersOf(set) }], width, screen)),
    '',
  ].join('\n');

  function rowsOf(some: readonly ToolLine[]): string[] {
    return some.flatMap((tool) => row({ ...tool, available: tool.inSession }, wordsOf(tool, paint), width, screen));
  }
  function titled(title: string, lines: readonly string[]): readonly string[] {
    return lines.length === 0 ? [] : ['', paint.strong(title), ...lines];
  }
}

type SwitchedView = ToolSwitchResult & { readonly on: boolean };

export function renderSwitched({ idle, changed, on, off }: SwitchedView, { columns }: Screen): string {
  const already = idle.map((name) => `${toOneLine(name)} ${on ? 'was not switched off' : 'is switched off already'}. `);
  const still = changed && on ? 'Still switched off' : 'Switched off';
  const left = off.length === 0 ? 'Nothing is switched off.' : `${still}: ${off.map(toOneLine).join(', ')}.`;
  const later = ' Running sessions still list a disabled tool, but calls to it fail.';
  const words = `${changed ? '' : 'Nothing changed. '}${already.join('')}${left}${changed ? later : ''}`;
  return `${wrapText(words, columns).join('\n')}\n`;
}

interface TintedText {
  readonly text: string;
  readonly tint?: Tint;
}

function wordsOf(tool: ToolLine, paint: Paint): TintedText[] {
  if (!tool.available) return [{ text: `not available: ${toOneLine(tool.reason ?? 'it says so itself')}`, tint: paint.faint }];
  const why = tool.inSession ? [] : [{ text: 'its toolset is not chosen', tint: paint.warn }];
  return [{ text: toOneLine(takeFirstSentence(tool.description)) }, ...why, { text: facts(tool), tint: paint.faint }];
}

const membersOf = ({ description, tools }: ToolsetLine): string =>
  toOneLine(`${description}: ${tools.length === 0 ? 'none' : tools.join(', ')}`);

/** Names of servers' tools can be long: on a screen they get a line of their own rather than all of it. */
const WIDEST_NAME = 24;
const nameColumn = (names: readonly string[], { columns }: Screen): number =>
  Math.min(columns === Infinity ? Infinity : WIDEST_NAME, Math.max(0, ...names.map(measureWidth)));

/** A mark, a name, and beside it as many lines as the words take. */
function row(
  of: { readonly name: string; readonly available?: boolean },
  words: readonly TintedText[],
  width: number,
  screen: Screen,
): string[] {
  const { paint, columns } = screen;
  const lines = words.flatMap(({ text, tint = same }) => wrapText(text, columns - width - 4).map(tint));
  const mark = of.available === undefined ? ' ' : of.available ? paint.good('✓') : paint.warn('–');
  const name = toOneLine(of.name);
  const head = `${mark} ${paint.accent(padEndTo(name, width))}`;
  const indent = `${' '.repeat(width + 2)}  `;
  const [first = '', ...rest] = lines;
  return measureWidth(name) > width
    ? [head.trimEnd(), ...lines.map((line) => indent + line)]
    : [`${head}  ${first}`.trimEnd(), ...rest.map((line) => indent + line)];
}
const same: Tint = (text) => text;

const facts = ({ effects, replay, toolsets }: ToolLine): string =>
  `${EFFECTS[effects]}; ${REPLAY[replay]}; ${toolsets.length === 0 ? 'with every toolset' : `in ${toolsets.map(toOneLine).join(', ')}`}`;
const EFFECTS = { read: 'only reads', write: 'changes things', depends: 'reads or changes, as its call says' } as const;
const REPLAY = { safe: 'repeated after a crash', never: 'never repeated after a crash' } as const;

const switched: CommandRenderer<SwitchedView> = {
  text: renderSwitched,
  json: ({ changed, off }) => ({ changed, disabledToolsets: off }),
};
export const ROWS: readonly RendererRow[] = [
  renderCommand(toolsList, { text: renderTools, json: ({ tools }) => tools }),
  renderCommand(toolsEnable, switched),
  renderCommand(toolsDisable, switched),
];
