import { toOneLine } from '../../../base/printable.ts';
import { formatCount } from '../../../base/screen/figures.ts';
import { fitWidth, measureWidth } from '../../../base/width.ts';
import type { ToolBlock, Widget } from '../contract.ts';
import { describeDoing, summarizeToolCall } from '../draw/tool-words.ts';
import type { Activity, LiveItem, Transcript } from '../transcript/state.ts';
import { formatElapsed, formatTokens } from './figures.ts';

export interface ActivitySpinnerOptions {
  transcript(): Transcript;
  /** Pictures and words of the owner's own theme. */
  own?(): { readonly frames?: readonly string[]; readonly verbs?: readonly string[] };
  /** Whether a question is shown, whatever else goes on. */
  readonly isAsking?: () => boolean;
}

/** A dot that breathes. */
const FRAMES = ['∙', '•', '●', '•'] as const;
/** How long a picture stands: whoever draws needs to draw no oftener. */
export const SPINNER_FRAME_MS = 250;
/** How long one of the owner's words stands. */
const VERB_MS = 10_000;
const CHARS_PER_TOKEN = 4;
/** A time shorter than this only flickers. */
const LEAST_MS = 2_000;

/** While a turn runs, what is happening and for how long, below a free line. Nothing between turns. */
export function createSpinner({ transcript, own = () => ({}), isAsking = () => false }: ActivitySpinnerOptions): Widget {
  return {
    render: ({ columns, style, now, toolCalls, keyNames }) => {
      const { activity, live, turnSince = now, counters } = transcript();
      if (activity.what === 'idle') return [];
      const { frames = FRAMES, verbs = [] } = own();
      const frame = fitWidth(frames[Math.floor(now / SPINNER_FRAME_MS) % frames.length] ?? '', 12);
      const verb = verbs[Math.floor((now - turnSince) / VERB_MS) % Math.max(1, verbs.length)];
      // Where calls have rows of their own, these say to what it is done.
      const calls = describeCalls(live, toolCalls === 'off' ? summarizeToolCall : describeDoing);
      // A question in the middle of a call: the call goes on, and waits.
      const asks = activity.what === 'asking' || isAsking();
      const words = describeActivity(asks ? { what: 'asking', since: activity.since } : activity, calls, now, verb);
      const tokens = Math.round(counters.streamed / CHARS_PER_TOKEN);
      const facts = [
        ...(now - activity.since >= LEAST_MS ? [formatElapsed(now - activity.since)] : []),
        ...(now - turnSince >= LEAST_MS && turnSince < activity.since ? [`turn ${formatElapsed(now - turnSince)}`] : []),
        ...(tokens > 0 ? [`↓ ${formatTokens(tokens)} ${tokens === 1 ? 'token' : 'tokens'}`] : []),
        ...(asks ? [] : [`${keyNames?.interrupt ?? 'Ctrl+C'} interrupts`]),
      ];
      const room = Math.max(8, columns - measureWidth(frame) - 1);
      const shown = fitWidth(words, room);
      const behind = fitFacts(facts, room - measureWidth(shown));
      return ['', `${style('accent', frame)} ${style('text', shown)}${style('faint', behind)}`];
    },
  };
}

/** As many facts as there is room for, the first ones first. */
function fitFacts(facts: readonly string[], room: number): string {
  let out = '';
  for (const fact of facts) {
    if (measureWidth(`${out} · ${fact}`) > room) break;
    out += ` · ${fact}`;
  }
  return out;
}

function describeActivity(activity: Exclude<Activity, { what: 'idle' }>, calls: string, now: number, verb: string | undefined): string {
  switch (activity.what) {
    case 'waiting':
      return verb ?? 'Waiting for the provider';
    case 'thinking':
      return verb ?? 'Thinking';
    case 'writing':
      return 'Writing';
    case 'running':
      return calls;
    case 'asking':
      return 'Waiting for your answer';
    case 'compacting':
      return 'Compressing the conversation';
    case 'recovering': {
      const wait = activity.until === undefined ? 0 : Math.ceil((activity.until - now) / 1_000);
      return `Trying again${wait > 0 ? ` in ${wait} s` : ''}: ${toOneLine(activity.detail)}`;
    }
  }
}

function describeCalls(live: readonly LiveItem[], describe: (block: ToolBlock) => string): string {
  const running = live.flatMap(({ block }) => (block.kind === 'tool' && block.state === 'running' ? [block] : []));
  const [first] = running;
  if (first === undefined) return 'Working';
  return running.length === 1 ? describe(first) : `Running ${formatCount(running.length, 'tool')}`;
}
