import { visibleText } from '../../contracts/message.ts';
import type { Entry } from '../../contracts/entry.ts';
import type { SearchHit, Session } from '../../contracts/session-store.ts';
import { describe } from './progress.ts';
import { snake } from './snake.ts';

const when = (at: number): string => new Date(at).toLocaleString('sv-SE').slice(0, 16);

export function renderList(sessions: readonly Session[]): string {
  if (sessions.length === 0) return 'No sessions yet. Start one with: hermes chat -q "…"';
  return sessions.map((session) => `${session.id}  ${when(session.startedAt)}  ${session.source.padEnd(8)} ${String(session.messages).padStart(4)} msgs  ${state(session)}${session.title ?? ''}`).join('\n');
}

const state = (session: Session): string => (session.unfinished ? '[cut off] ' : '');

export function renderSession(session: Session, entries: readonly Entry[]): string {
  const head = [`Session ${session.id}${session.title === undefined ? '' : ` “${session.title}”`}`, `${when(session.startedAt)} · ${session.source} · ${session.provider} ${session.model} · ${session.cwd}`];
  const lineage = session.parent === undefined ? [] : [`${session.parent.kind} of ${session.parent.sessionId}`];
  return [...head, ...lineage, '', ...entries.flatMap(renderEntry)].join('\n');
}

function renderEntry(entry: Entry): string[] {
  switch (entry.type) {
    case 'message':
      return renderMessage(entry);
    case 'epoch':
      return [`── prompt (${entry.cause}): ${entry.epoch.model}, ${entry.epoch.tools.length} tools`];
    case 'compaction':
      return [`── messages ${entry.fromSeq}–${entry.toSeq} left the view`];
    case 'model_change':
      return [`── now on ${entry.to.provider} ${entry.to.model} (${entry.cause})`];
    case 'note':
      return [`── ${entry.text}`];
    case 'outcome':
      return [`── ${entry.outcome}${entry.exitReason === entry.outcome ? '' : `: ${entry.exitReason}`}${entry.notice === undefined ? '' : ` — ${entry.notice}`}`, ''];
  }
}

function renderMessage({ message, origin }: Extract<Entry, { type: 'message' }>): string[] {
  const words = visibleText(message);
  if (message.role === 'tool') return [`  ${message.failed ? '✗' : '✓'} ${words.split('\n').slice(0, 6).join('\n    ')}`];
  const who = message.role === 'user' ? (origin === 'user' ? 'you' : origin) : 'hermes';
  const calls = message.content.flatMap((block) => (block.type === 'tool_call' ? [`  · ${describe(block)}`] : []));
  return [...(words === '' ? [] : [`${who}: ${words}`]), ...calls];
}

export function renderHits(query: string, hits: readonly SearchHit[]): string {
  if (hits.length === 0) return `Nothing found for ${query}.`;
  return hits.map((hit) => `${hit.sessionId}  ${when(hit.at)}  ${hit.role.padEnd(9)} ${mark(hit.snippet)}`).join('\n');
}

/** Hits stand out in a terminal by brackets: they survive pipes and need no colour. */
const mark = (snippet: string): string => snippet.replaceAll('\u0002', '[').replaceAll('\u0003', ']').replaceAll(/\s+/g, ' ');

export function exportLines(format: 'jsonl' | 'md', session: Session, entries: readonly Entry[]): string {
  if (format === 'jsonl') return entries.map((entry) => `${JSON.stringify(snake(withoutSidecar(entry)))}\n`).join('');
  const body = entries.flatMap((entry) => (entry.type === 'message' ? [markdown(entry)] : [])).filter(Boolean);
  return [`# ${session.title ?? session.id}`, '', ...body].join('\n');
}

/** Call-time text belongs to the wire alone. */
const withoutSidecar = (entry: Entry): Entry => {
  if (entry.type !== 'message' || entry.wireOnly === undefined) return entry;
  const { wireOnly: _, ...rest } = entry;
  return rest;
};

function markdown({ message }: Extract<Entry, { type: 'message' }>): string {
  const words = visibleText(message);
  if (message.role === 'tool') return `\`\`\`\n${words}\n\`\`\`\n`;
  const calls = message.content.flatMap((block) => (block.type === 'tool_call' ? [`- \`${describe(block)}\``] : []));
  return [`**${message.role === 'user' ? 'You' : 'Hermes'}**`, '', words, ...calls, ''].join('\n');
}
