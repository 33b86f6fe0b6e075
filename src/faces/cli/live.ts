import { createMarkdownStream } from '../../base/markdown/stream.ts';
import { toPrintable } from '../../base/printable.ts';
import { toVisibleLine } from '../../base/visible.ts';
import { plain, type Paint } from '../../base/screen/paint.ts';
import type { Screen } from '../../base/screen/screen.ts';
import type { Streams } from '../../base/screen/streams.ts';
import { describeCompacting, describeCompaction, describeCall } from '../../commands/describe.ts';
import type { AgentEvent } from '../../contracts/event.ts';
import { drawResult, formatWait } from './live-lines.ts';
import type { Spinner } from './spinner.ts';

/** Where a turn is drawn: the model's words on standard output, all the rest on standard error. */
export interface LiveScreen {
  readonly streams: Streams;
  /** Colours of standard output; standard error has them only where somebody watches it. */
  readonly paint: Paint;
  columns(): number;
  readonly spinner?: Spinner;
}
export interface LiveTurn {
  show(event: AgentEvent): void;
  /** The last words of the turn: drawn unless they have been on the screen already. */
  answer(text: string): void;
}

/** A turn as a person watches it: words as they come, each call with its outcome, the change of a file in color. */
export function drawTurn({ streams, paint, columns, spinner }: LiveScreen): LiveTurn {
  const marks = streams.watched ? paint : plain;
  const markdown = createMarkdownStream({ paint, columns, wholeCode: true });
  const started = new Map<string, string>();
  let [shown, speaking, spoken] = [false, false, ''];
  const write = (stream: (text: string) => void, text: string) => {
    if (text === '') return;
    spinner?.clear();
    stream(text);
    shown = true;
  };
  const quiet = () => {
    if (speaking) write(streams.out, markdown.end());
    speaking = false;
  };
  const note = (text: string) => {
    quiet();
    write(streams.err, `${text}\n`);
  };
  const speak = (words: string) => {
    if (!speaking && shown) write(streams.out, '\n');
    speaking = true;
    write(streams.out, markdown.push(words));
    spoken += words;
  };
  return {
    show: (event) => {
      if (event.type === 'text_delta') speak(event.delta);
      else if (event.type === 'sampled') quiet();
      else {
        const line = noteOf(event, started, { paint: marks, columns: streams.watched ? columns() : Infinity });
        // Each call stands apart from what was before it.
        if (line !== undefined) note(`${event.type === 'tool_started' && shown ? '\n' : ''}${line}`);
      }
      const waits = waitsFor(event, started);
      if (waits !== undefined) spinner?.label(waits.label);
    },
    answer: (text) => {
      quiet();
      if (!bare(spoken).endsWith(bare(text))) {
        speak(text);
        quiet();
      }
      spinner?.stop();
    },
  };
}

/** What stands on standard error for an event, if anything does. Calls that begin are kept by their ids. */
function noteOf(event: AgentEvent, started: Map<string, string>, screen: Pick<Screen, 'paint' | 'columns'>): string | undefined {
  const { paint } = screen;
  switch (event.type) {
    case 'tool_started': {
      const called = toVisibleLine(describeCall(event.call));
      started.set(event.call.id, called);
      return `${paint.accent('●')} ${paint.strong(called)}`;
    }
    case 'tool_finished':
      return drawResult(event, started.get(event.callId) ?? toPrintable(event.result.name), screen);
    case 'recovering':
      return paint.warn(`↻ ${toPrintable(event.failure.detail)} — ${event.strategy.replaceAll('_', ' ')}${formatWait(event.waitMs)}`);
    case 'compacting':
      return paint.warn(`◇ ${describeCompacting(event)}`);
    case 'compacted':
      return paint.faint(describeCompaction(event.report));
    case 'runtime_changed':
      return paint.faint(toPrintable(`now on ${event.to.provider} ${event.to.model}`));
    case 'notice':
      return paint.faint(toPrintable(event.text));
    default:
      return undefined;
  }
}

/** Pieces of an answer are put together with breaks the stream did not have. */
const bare = (text: string): string => text.replaceAll(/\s+/g, '');

/** What comes next, as far as an event tells it. While words come, they say enough. */
function waitsFor(event: AgentEvent, started: ReadonlyMap<string, string>): { readonly label: string | undefined } | undefined {
  switch (event.type) {
    case 'text_delta':
    case 'settled':
      return { label: undefined };
    case 'entry':
    case 'thinking_delta':
    case 'tool_finished':
    case 'compacted':
      return { label: 'thinking' };
    case 'tool_started':
      return { label: started.get(event.call.id) };
    case 'tool_progress':
      return { label: event.note.trimEnd().split('\n').at(-1) };
    case 'recovering':
      return { label: 'trying again' };
    case 'compacting':
      return { label: 'shortening the conversation' };
    default:
      return undefined;
  }
}
