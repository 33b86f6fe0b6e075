import { isObject } from '../../../base/json.ts';
import { abbreviateHome } from '../../../base/home.ts';
import { toOneLine } from '../../../base/printable.ts';
import { formatCount, formatWhole } from '../../../base/screen/figures.ts';
import { fitWidth } from '../../../base/width.ts';
import type { CommandDetails, TodoItem, ToolDetails } from '../../../contracts/details.ts';
import type { DrawContext, StyleName, ToolBlock } from '../contract.ts';
import { drawDiffs } from './diff.ts';
import { drawFolded, type FoldShape } from './fold.ts';
import { wrapForeign } from './text.ts';

/** The beginning and the end say most about a command; of anything else the beginning. */
const COMMAND: FoldShape = { head: 2, tail: 3 };
const USUAL: FoldShape = { head: 3, tail: 0 };
const FAILURE: FoldShape = { head: 6, tail: 2 };

/** Results that say no more than their row, unless somebody asks: a file that was read is not news. */
const QUIET: ReadonlySet<string> = new Set(['read_file', 'skill_view', 'skills_list', 'context_recall']);

/** What came of a call, below its row. */
export function drawToolResult(block: ToolBlock, context: DrawContext): string[] {
  const { result = '', details } = block;
  if (block.state === 'failed' && details?.kind !== 'command') return drawFailure(block, context);
  switch (details?.kind) {
    case 'diff':
      return details.files.length === 0 ? drawFolded(result, USUAL, context) : drawDiffs(details.files, context);
    case 'tasks':
      return drawTasks(details.tasks, context);
    case 'command':
      return drawCommandResult(block, details, context);
    case 'process':
      return [drawLine(`in the background as ${details.id} (pid ${details.pid})`, context)];
    case 'media':
      return details.items.map(({ path }) => drawLine(path, context, 'link'));
    case 'children':
      return [...drawChildren(details, context), ...(context.expanded === true ? drawFolded(result, USUAL, context) : [])];
    default:
      return drawPlainResult(block, context);
  }
}

const drawLine = (text: string, { columns, style }: DrawContext, look: StyleName = 'faint'): string =>
  `  ${style(look, fitWidth(toOneLine(text), Math.max(1, columns - 2)))}`;

function drawFailure({ result = '' }: ToolBlock, context: DrawContext): string[] {
  return result.trim() === ''
    ? [drawLine('no result is stored', context, 'bad')]
    : drawFolded(result, FAILURE, context, { look: 'bad', isWrapped: true });
}

function drawPlainResult({ call, result = '' }: ToolBlock, context: DrawContext): string[] {
  const isQuiet = QUIET.has(call.name) && context.expanded !== true;
  // What the person answered are their own words.
  if (call.name === 'clarify') return drawFolded(result, FAILURE, context, { look: 'user', isWrapped: true });
  return isQuiet ? [] : drawFolded(result, USUAL, context);
}

/** A line of the terminal tool that says how the command ended: it has a line of its own here. */
const ENDING = /\n?\[(?:exit code \d+(?:: [^\n]*)?|exit code 0, no output)\]\s*$/;

function drawCommandResult({ result = '' }: ToolBlock, details: CommandDetails, context: DrawContext): string[] {
  const output = result.replace(ENDING, '');
  // An interrupted call says so itself, with what that means for its effects.
  const ending = /\[interrupted[^\]]*\]\s*$/.test(output) ? undefined : describeEnding(details);
  const lines = output.trim() === '' ? [] : [...drawFolded(output, COMMAND, context), ...drawOmitted(details, context)];
  return ending === undefined ? lines : [...lines, drawLine(ending, context, details.ended === 'exited' ? 'warn' : 'bad')];
}

/** A long output is stored in part: what the viewer does not have either is told, with the file that has it. */
function drawOmitted({ omitted }: CommandDetails, { columns, style }: DrawContext): string[] {
  if (omitted === undefined) return [];
  const where = omitted.file === undefined ? '' : ` The whole output is in ${abbreviateHome(omitted.file)}`;
  return wrapForeign(`${formatWhole(omitted.characters)} characters in the middle are left out.${where}`, Math.max(1, columns - 2)).map(
    (line) => `  ${style('faint', line)}`,
  );
}

function describeEnding({ exitCode, ended, meaning }: CommandDetails): string | undefined {
  if (ended !== 'exited') return ENDINGS.get(ended) ?? `ended: ${ended}`;
  if (exitCode === 0 || exitCode === null) return undefined;
  return `exit code ${exitCode}${meaning === undefined ? '' : `: ${meaning}`}`;
}
const ENDINGS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    timeout: 'stopped: it ran out of time',
    aborted: 'interrupted',
    failed_to_start: 'could not be started',
  }),
);

const TASK_SIGNS: Readonly<Record<TodoItem['status'], readonly [sign: string, look: StyleName]>> = {
  completed: ['✓', 'faint'],
  in_progress: ['▸', 'accent'],
  pending: ['○', 'text'],
  cancelled: ['–', 'faint'],
};

/** The task list as it is now, tasks of tasks set in. */
function drawTasks(tasks: readonly TodoItem[], { columns, style }: DrawContext): string[] {
  const ids = new Set(tasks.map(({ id }) => id));
  const depth = (task: TodoItem | undefined, seen = 0): number =>
    task?.parent === undefined || !ids.has(task.parent) || seen > 3
      ? seen
      : depth(
          tasks.find(({ id }) => id === task.parent),
          seen + 1,
        );
  return tasks.map((task) => {
    const [sign, look] = TASK_SIGNS[task.status];
    const indent = ' '.repeat(2 + 2 * depth(task));
    return `${indent}${style(look, fitWidth(`${sign} ${toOneLine(task.content)}`, Math.max(4, columns - indent.length)))}`;
  });
}

function drawChildren({ children }: Extract<ToolDetails, { readonly kind: 'children' }>, context: DrawContext): string[] {
  return children.map(({ status, sessionId }, index) => {
    const name = children.length === 1 ? 'child' : `child ${index + 1}`;
    const look = status === 'completed' ? 'faint' : status === 'failed' ? 'bad' : 'warn';
    return drawLine(`${name}: ${status}${sessionId === undefined ? '' : ` · session ${sessionId}`}`, context, look);
  });
}

/** What a row says of its result, in two or three words. */
export function summarizeResult({ call, result = '', details, state }: ToolBlock): string {
  if (state === 'failed') return '';
  if (details?.kind === 'tasks') {
    const done = details.tasks.filter(({ status }) => status === 'completed').length;
    return details.tasks.length === 0 ? 'none' : `${done} of ${details.tasks.length} done`;
  }
  if (details?.kind === 'left_out') return `${details.of} not kept`;
  const data = details?.kind === 'data' && isObject(details.data) ? details.data : {};
  if (call.name === 'read_file' && typeof data['total_lines'] === 'number') return describeReadLines(result, data['total_lines']);
  if (call.name === 'search_files' && typeof data['total_count'] === 'number') return formatCount(data['total_count'], 'match', 'matches');
  return '';
}

function describeReadLines(result: string, total: number): string {
  const [, from, to] = /^\[lines (\d+)-(\d+) of \d+/m.exec(result) ?? [];
  return from === undefined || to === undefined || Number(to) - Number(from) + 1 === total
    ? formatCount(total, 'line')
    : `lines ${from}–${to} of ${formatWhole(total)}`;
}
