import { formatMoment } from '../base/screen/when.ts';
import { formatCount, formatWhole } from '../base/screen/figures.ts';
import type { Entry, EntryHead, EntryOrigin, EpochEntry, LogMessage, OutcomeEntry } from '../contracts/entry.ts';
import { isMessageEntry } from '../contracts/entry.ts';
import type { CallRecord } from '../contracts/ledger.ts';
import type { AssistantMessage, FileBlock, TextBlock, UserMessage } from '../contracts/message.ts';
import { describeCompaction } from './describe.ts';
import { describeCost } from './draw-insights.ts';
import { sumCallUsage } from './usage-sums.ts';
import { drawFenced } from './page-fences.ts';
import { drawCode } from './page-highlight.ts';
import { drawMarkdown } from './page-markdown.ts';
import { markup, type Markup } from './page-markup.ts';
import { drawFolded } from './page-tables.ts';
import { drawImage, drawLoneResult, drawToolCall } from './page-tool-call.ts';

/** What drawing one entry needs to know of the others. */
export interface TranscriptScope {
  readonly keys: readonly string[];
  /** The result of a call, by the entry that asked for it and the call's id. */
  resultOf(entryId: string, callId: string): LogMessage | undefined;
  /** Whether a result is shown with its call. */
  isTaken(entryId: string): boolean;
  /** The model calls of a turn. */
  callsOf(turnId: string): readonly CallRecord[];
}

/** One entry, or nothing where it is shown elsewhere. */
export function drawEntry(entry: Entry, rewound: boolean, scope: TranscriptScope): Markup | undefined {
  const content = drawContent(entry, scope);
  if (content === undefined) return undefined;
  const { kind, who } = describeEntry(entry);
  const mark = rewound ? markup`<span class="tag">taken back</span>` : undefined;
  return markup`<article id="e${entry.seq}" class="${kind}${rewound ? ' rewound' : ''}"><header><strong>${who}</strong>${mark}<time datetime="${new Date(entry.at).toISOString()}">${formatMoment(entry.at)}</time></header>
${content}</article>
`;
}

function describeEntry(entry: Entry): { readonly kind: string; readonly who: string } {
  if (!isMessageEntry(entry)) return { kind: 'note', who: NAMES[entry.type] };
  if (entry.message.role === 'user') return { kind: entry.origin === 'user' ? 'user' : 'user beside', who: SENDERS[entry.origin] ?? 'You' };
  return { kind: 'model', who: entry.message.role === 'tool' ? 'Tool' : 'Hermes' };
}
const NAMES: Readonly<Record<Exclude<Entry['type'], 'message'>, string>> = {
  epoch: 'Prompt',
  compaction: 'Compaction',
  model_change: 'Model',
  note: 'Note',
  outcome: 'End of turn',
  rewind: 'Taken back',
};
const SENDERS: Readonly<Partial<Record<EntryOrigin, string>>> = {
  cron: 'Schedule',
  hook: 'Hook',
  nudge: 'Hermes to the model',
  steer: 'You, during the turn',
  system: 'Hermes to the model',
  summary: 'Summary',
};

function drawContent(entry: Entry, scope: TranscriptScope): Markup | undefined {
  switch (entry.type) {
    case 'message':
      return drawMessage(entry, scope);
    case 'epoch':
      return drawEpoch(entry);
    case 'outcome':
      return drawOutcome(entry, scope);
    case 'compaction':
      return markup`<p>${entry.report === undefined ? `Entries ${entry.fromSeq} to ${entry.toSeq} became a summary.` : describeCompaction(entry.report)}</p>${drawFolded(
        'Summary',
        entry.summary.content.map((block) => (block.type === 'text' ? drawMarkdown(block.text) : undefined)),
      )}`;
    case 'model_change':
      return markup`<p>${entry.from.provider} ${entry.from.model} → ${entry.to.provider} ${entry.to.model}: ${entry.cause}</p>`;
    case 'note':
      return markup`<p>${entry.text}</p>`;
    case 'rewind':
      return markup`<p>Everything after entry ${entry.toSeq} was taken back. It is marked above.</p>`;
  }
}

function drawMessage(entry: LogMessage, scope: TranscriptScope): Markup | undefined {
  const { message } = entry;
  if (message.role === 'tool') return scope.isTaken(entry.id) ? undefined : drawLoneResult(entry, scope.keys);
  if (message.role === 'user') return markup`${message.content.map((block) => drawUserBlock(block, scope.keys))}`;
  const drawn = message.content.map((block) => drawModelBlock(block, entry.id, scope));
  return message.content.length === 0 ? undefined : markup`${drawn}`;
}

function drawUserBlock(block: UserMessage['content'][number], keys: readonly string[]): Markup {
  if (block.type === 'image') return drawImage(block);
  if (block.type === 'file') return drawFile(block);
  if (block.trust !== 'foreign') return drawFenced(block.text, drawMarkdown, keys);
  return drawFolded(`Text from outside${block.source === undefined ? '' : `: ${block.source}`}`, drawForeign(block), 'fence');
}
const drawForeign = ({ text }: TextBlock): Markup => drawCode(text);
const drawFile = ({ name, mime, data }: FileBlock): Markup =>
  markup`<p class="faint">[file: ${name}, ${mime}, ${formatWhole((data.length * 3) / 4)} bytes]</p>`;

function drawModelBlock(block: AssistantMessage['content'][number], entryId: string, scope: TranscriptScope): Markup | undefined {
  if (block.type === 'tool_call') return drawToolCall(block, scope.resultOf(entryId, block.id), scope.keys);
  if (block.text.trim() === '') return undefined;
  return block.type === 'thinking' ? drawFolded('Thinking', drawMarkdown(block.text), 'thinking') : drawMarkdown(block.text);
}

/** The prompt is long and the same for every message: folded as a whole, its sections and what is fenced in them once more. */
function drawEpoch({ epoch, cause }: EntryHead & EpochEntry): Markup {
  const slots = epoch.slots.map(({ name, text }) =>
    drawFolded(
      name,
      drawFenced(text, (words) => drawCode(words)),
    ),
  );
  const tools = epoch.tools.map(({ name }) => name).join(', ');
  const line = `System prompt for ${epoch.provider} ${epoch.model} (${cause}), ${formatCount(epoch.tools.length, 'tool')}`;
  return drawFolded(line, [slots, tools === '' ? undefined : markup`<p class="faint">Tools: ${tools}</p>`]);
}

function drawOutcome({ exitReason, notice, turnId }: EntryHead & OutcomeEntry, { callsOf }: TranscriptScope): Markup {
  const sum = sumCallUsage(turnId === undefined ? [] : callsOf(turnId));
  const { input, output, cacheRead, cacheWrite } = sum.usage;
  const prompt = input + cacheRead + cacheWrite;
  const cached = sum.cacheShare === undefined ? '' : ` (${Math.round(sum.cacheShare * 100)}% from cache)`;
  const cost =
    sum.calls === 0
      ? ''
      : `, ${formatCount(sum.calls, 'call')}, ${formatWhole(prompt)} tokens in${cached}, ${formatWhole(output)} out, ${describeCost(sum)}`;
  const reason = exitReason.replaceAll('_', ' ');
  return markup`<p><span class="${exitReason === 'answered' ? 'good' : 'bad'}">${reason}</span>${cost}</p>${notice === undefined ? undefined : markup`<p>${notice}</p>`}`;
}
