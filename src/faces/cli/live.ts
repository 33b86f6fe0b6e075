import { toPrintable } from '../../base/printable.ts';
import { visibleLine } from '../../base/visible.ts';
import type { AgentEvent } from '../../contracts/event.ts';
import { visibleText, type ToolMessage } from '../../contracts/message.ts';
import type { Paint } from '../../base/screen/paint.ts';
import { compactedWords, describeCall } from '../../commands/describe.ts';

/** A long result is folded in its middle: how it begins and how it ends say most. */
const HEAD_LINES = 7;
const TAIL_LINES = 4;

/** A turn as a person watches it: words as they come, each call with its outcome, the change of a file in colour. */
export function liveRenderer(out: (text: string) => void, paint: Paint): (event: AgentEvent) => void {
  let midLine = false;
  let speaking = false;
  const started = new Map<string, string>();
  const say = (text: string) => {
    out(`${midLine ? '\n' : ''}${text}\n`);
    midLine = false;
  };
  return (event) => {
    switch (event.type) {
      case 'text_delta':
        out(`${speaking ? '' : '\n'}${toPrintable(event.delta)}`);
        speaking = true;
        midLine = !event.delta.endsWith('\n');
        return;
      case 'sampled':
        speaking = false;
        if (midLine) out('\n');
        midLine = false;
        return;
      case 'tool_started':
        started.set(event.call.id, visibleLine(describeCall(event.call)));
        return say(`${paint.accent('●')} ${paint.strong(visibleLine(describeCall(event.call)))}`);
      case 'tool_finished':
        return say(result(event.result, `${started.get(event.callId) ?? toPrintable(event.result.name)} · ${event.ms} ms`, paint));
      case 'recovering':
        return say(paint.warn(`↻ ${toPrintable(event.failure.detail)} — ${event.strategy.replaceAll('_', ' ')}`));
      case 'compacting':
        return say(paint.warn(`◇ shortening the conversation: ${event.tokens} of ${event.window} tokens …`));
      case 'compacted':
        return say(paint.faint(compactedWords(event.report)));
      case 'notice':
        return say(paint.faint(toPrintable(event.text)));
      default:
        return undefined;
    }
  };
}

function result(message: ToolMessage, label: string, paint: Paint): string {
  const lines = toPrintable(visibleText(message))
    .split('\n')
    .filter((line) => line.trim() !== '');
  const folded = lines.length > HEAD_LINES + TAIL_LINES + 1;
  const show = (some: readonly string[]) => some.map((line) => `  ${paintLine(line, paint)}`);
  const shown = folded
    ? [
        ...show(lines.slice(0, HEAD_LINES)),
        paint.faint(`  … ${lines.length - HEAD_LINES - TAIL_LINES} more lines …`),
        ...show(lines.slice(-TAIL_LINES)),
      ]
    : show(lines);
  const mark = message.failed ? paint.bad('✗') : ENDED_BADLY.test(lines.at(-1) ?? '') ? paint.warn('!') : paint.good('✓');
  return [...shown, `  ${mark} ${paint.faint(label)}`].join('\n');
}

/** The tool did its work; the command it ran says that something is wrong. */
const ENDED_BADLY = /^\[exit code [1-9]/;

/** Diffs and test reports are read by their first character. */
function paintLine(line: string, paint: Paint): string {
  if (/^(\+(?!\+\+)|✔|ℹ pass)/.test(line)) return paint.good(line);
  if (/^(-(?!--)|✖|ℹ fail [1-9])/.test(line)) return paint.bad(line);
  return paint.faint(line);
}
