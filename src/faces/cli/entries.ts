import { toOneLine, toPrintable } from '../../base/printable.ts';
import type { Entry } from '../../contracts/entry.ts';
import { joinShownResult, joinTextBlocks, type AssistantMessage, type ToolMessage } from '../../contracts/message.ts';
import { formatCount } from '../../base/screen/figures.ts';
import type { Paint, Tint } from '../../base/screen/paint.ts';
import { describeCompaction, describeCall } from '../../commands/describe.ts';

/** A stretch of the screen. What the model said may be shown word by word. */
export interface ScreenText {
  readonly text: string;
  readonly spoken?: true;
}

/** Lines of a tool's result and of reasoning shown before the rest is folded. */
const RESULT_LINES = 8;
const THINKING_LINES = 3;

/** One entry of a log as a person reads it. */
export function drawEntry(entry: Entry, paint: Paint): ScreenText[] {
  switch (entry.type) {
    case 'message':
      return drawMessage(entry, paint);
    case 'epoch':
      return [marker(`prompt (${entry.cause}): ${entry.epoch.model}, ${formatCount(entry.epoch.tools.length, 'tool')}`, paint.faint)];
    case 'compaction':
      return [
        marker(
          `entries ${entry.fromSeq}–${entry.toSeq} left the view for notes${entry.report === undefined ? '' : `: ${describeCompaction(entry.report)}`}`,
          paint.warn,
        ),
      ];
    case 'model_change':
      return [marker(`now on ${entry.to.provider} ${entry.to.model} (${toOneLine(entry.cause)})`, paint.warn)];
    case 'note':
      return [marker(toOneLine(entry.text), paint.faint)];
    case 'outcome':
      return [drawOutcome(entry, paint)];
    case 'rewind':
      return [marker(`entries ${entry.toSeq + 1}–${entry.seq - 1} were taken back`, paint.warn)];
  }
}

const marker = (words: string, tint: Tint): ScreenText => ({ text: `${tint(`── ${words}`)}\n` });

function drawOutcome({ outcome, exitReason, notice }: Extract<Entry, { type: 'outcome' }>, paint: Paint): ScreenText {
  const reason = exitReason === outcome ? '' : `: ${exitReason.replaceAll('_', ' ')}`;
  const tint = outcome === 'answered' ? paint.good : outcome === 'failed' ? paint.bad : paint.warn;
  return { text: `${tint(`── ${outcome}${reason}`)}${notice === undefined ? '' : ` — ${toOneLine(notice)}`}\n\n` };
}

function drawMessage({ message, origin }: Extract<Entry, { type: 'message' }>, paint: Paint): ScreenText[] {
  if (message.role === 'tool') return [drawResult(message, paint)];
  if (message.role === 'assistant') return drawAnswer(message, paint);
  const who = origin === 'user' ? paint.accent(paint.strong('you')) : paint.warn(origin);
  const extras = message.content.flatMap((block) => (block.type === 'text' ? [] : [paint.faint(`[${block.type} ${block.mime}]`)]));
  return [{ text: `${who}  ${[toPrintable(joinTextBlocks(message)), ...extras].join(' ')}\n` }];
}

function drawAnswer(message: AssistantMessage, paint: Paint): ScreenText[] {
  const thoughts = message.content.flatMap((block) => (block.type === 'thinking' ? [block.text] : [])).join('\n');
  const words = toPrintable(joinTextBlocks(message)).trimEnd();
  const calls = message.content.flatMap((block) =>
    block.type === 'tool_call' ? [drawCall(toOneLine(describeCall(block)), block.name, paint)] : [],
  );
  return [
    ...(thoughts.trim() === '' ? [] : [{ text: fold(thoughts, THINKING_LINES, (line) => paint.faint(`  ∴ ${line}`), paint) }]),
    ...(words === '' ? [] : [{ text: `${paint.good(paint.strong('hermes'))}  ` }, { text: words, spoken: true } as const, { text: '\n' }]),
    ...calls,
  ];
}

const drawCall = (words: string, name: string, paint: Paint): ScreenText => ({
  text: `  ${paint.accent('●')} ${paint.strong(toOneLine(name))} ${paint.faint(words.slice(name.length).trim())}\n`,
});

function drawResult(message: ToolMessage, paint: Paint): ScreenText {
  const mark = message.failed ? paint.bad('✗') : paint.good('✓');
  const images = message.content.filter((block) => block.type === 'image').length;
  const words = joinShownResult(message) || (images > 0 ? formatCount(images, 'image') : '(nothing)');
  let first = true;
  const draw = (line: string) => {
    const lead = first ? `  ${mark} ` : '    ';
    first = false;
    return `${lead}${paint.faint(line)}`;
  };
  return { text: fold(words, RESULT_LINES, draw, paint) };
}

function fold(text: string, most: number, draw: (line: string) => string, paint: Paint): string {
  const lines = toPrintable(text).trimEnd().split('\n');
  // One line folded away would take as much room as the line itself.
  const shown = lines.length <= most + 1 ? lines : lines.slice(0, most);
  const left = lines.length - shown.length;
  return `${[...shown.map(draw), ...(left === 0 ? [] : [paint.faint(`    … ${left} more lines`)])].join('\n')}\n`;
}
