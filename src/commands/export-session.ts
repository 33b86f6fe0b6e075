import type { Entry } from '../contracts/entry.ts';
import type { Session, SessionStore } from '../contracts/session-store.ts';
import { exportMarkdown } from './export-markdown.ts';
import { toEntryRows } from './session-rows.ts';

export type ExportFormat = 'jsonl' | 'md' | 'html';

const ENDINGS: readonly (readonly [RegExp, ExportFormat])[] = [
  [/\.(?:md|markdown)$/i, 'md'],
  [/\.html?$/i, 'html'],
  [/\.jsonl$/i, 'jsonl'],
];

/** The format a file's name stands for. */
export const findExportFormat = (file: string): ExportFormat | undefined => ENDINGS.find(([ending]) => ending.test(file))?.[1];

/** A session as a text; the page is loaded with the first that is asked for. */
export async function exportSession(format: ExportFormat, session: Session, store: SessionStore): Promise<string> {
  const entries = await store.entries(session.id);
  if (format === 'jsonl') return exportLines(entries);
  if (format === 'md') return exportMarkdown(session, entries);
  const { createSessionPage } = await import('./page-session.ts');
  return createSessionPage({ session, entries, calls: await store.calls({ sessionId: session.id }) });
}

/** Every entry of a log, one per line. */
export const exportLines = (entries: readonly Entry[]): string =>
  toEntryRows(entries)
    .map((row) => `${JSON.stringify(row)}\n`)
    .join('');
