import { toPrintable } from '../../base/printable.ts';
import { toVisibleLine } from '../../base/visible.ts';
import type { AgentEvent } from '../../contracts/event.ts';
import { joinShownResult } from '../../contracts/message.ts';
import { describeCompacting, describeCompaction, describeCall, takeFirstLine } from '../../commands/describe.ts';
import { formatWait } from './live-lines.ts';
import type { Streams } from '../../base/screen/streams.ts';

/** A line a step on stderr, when a person watches: what runs, what failed, what is being waited for. */
export function createProgressPrinter(streams: Streams): (event: AgentEvent) => void {
  const say = (line: string) => streams.err(`${toPrintable(line)}\n`);
  return (event) => {
    switch (event.type) {
      case 'tool_started':
        return streams.watched ? say(`· ${toVisibleLine(describeCall(event.call))}`) : undefined;
      case 'tool_finished':
        return streams.watched && event.result.failed ? say(`  ✗ ${takeFirstLine(joinShownResult(event.result))}`) : undefined;
      case 'recovering':
        return say(
          `${event.failure.type.replaceAll('_', ' ')}: ${event.failure.detail} — ${event.strategy.replaceAll('_', ' ')}${formatWait(event.waitMs)}`,
        );
      case 'compacting':
        return say(describeCompacting(event));
      case 'compacted':
        return say(describeCompaction(event.report));
      case 'runtime_changed':
        return say(`now on ${event.to.provider} ${event.to.model}`);
      case 'notice':
        return say(event.text);
      default:
        return undefined;
    }
  };
}
