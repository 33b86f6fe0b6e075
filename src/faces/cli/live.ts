import type { AgentEvent } from '../../contracts/event.ts';
import { visibleText, type ToolMessage } from '../../contracts/message.ts';
import type { Paint } from './paint.ts';
import { describe } from './progress.ts';

/** Lines of a tool's result shown before the rest is folded. */
const SHOWN_LINES = 12;

/** A turn as a person watches it: words as they come, each call with its outcome, the change of a file in colour. */
export function live(out: (text: string) => void, paint: Paint): (event: AgentEvent) => void {
  let midLine = false;
  const say = (text: string) => {
    out(`${midLine ? '\n' : ''}${text}\n`);
    midLine = false;
  };
  return (event) => {
    switch (event.type) {
      case 'text_delta':
        out(event.delta);
        midLine = !event.delta.endsWith('\n');
        return;
      case 'sampled':
        return midLine ? say('') : undefined;
      case 'tool_started':
        return say(
          `${paint.accent('●')} ${paint.strong(event.call.name)} ${paint.faint(describe(event.call).slice(event.call.name.length + 1))}`,
        );
      case 'tool_finished':
        return say(result(event.result, event.ms, paint));
      case 'recovering':
        return say(paint.warn(`↻ ${event.failure.detail} — ${event.strategy.replaceAll('_', ' ')}`));
      case 'notice':
        return say(paint.faint(event.text));
      default:
        return undefined;
    }
  };
}

function result(message: ToolMessage, ms: number, paint: Paint): string {
  const lines = visibleText(message).split('\n');
  const shown = lines.slice(0, SHOWN_LINES).map((line) => `  ${paintLine(line, paint)}`);
  const folded = lines.length > SHOWN_LINES ? [paint.faint(`  … ${lines.length - SHOWN_LINES} more lines`)] : [];
  const mark = message.failed ? paint.bad('✗') : paint.good('✓');
  return [...shown, ...folded, `  ${mark} ${paint.faint(`${ms} ms`)}`].join('\n');
}

/** Diffs and test reports are read by their first character. */
function paintLine(line: string, paint: Paint): string {
  if (/^(\+(?!\+\+)|✔|ℹ pass)/.test(line)) return paint.good(line);
  if (/^(-(?!--)|✖|ℹ fail [1-9])/.test(line)) return paint.bad(line);
  return paint.faint(line);
}
