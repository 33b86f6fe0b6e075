import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../base/errors.ts';
import { formatCount } from '../base/screen/figures.ts';
import { toVisibleLine } from '../base/visible.ts';
import type { CommandContext } from '../contracts/command.ts';
import { refuseBeforeOthers } from './before-others.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { Entry, NewEntry } from '../contracts/entry.ts';
import type { AgentEvent } from '../contracts/event.ts';
import type { Session, SessionStore } from '../contracts/session-store.ts';
import { exportConversations, writeConversations } from './export-conversations.ts';
import { exportSession, findExportFormat } from './export-session.ts';
import { findSession, SESSION_REF } from './find-session.ts';
import { createFileExistsError, writeNewFile } from './write-new-file.ts';

const FACTS = { category: 'sessions', where: ['shell'], whileBusy: 'run' } as const;
const LIMIT = { kind: 'whole_number', default: 20, placeholder: 'n', description: 'maximum number to show; 0 means all' } as const;

export const sessionsList = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal', 'chat'],
  slash: ['sessions', 'sessions list'],
  name: 'sessions list',
  aliases: ['sessions ls'],
  summary: 'List sessions, newest first',
  options: {
    limit: LIMIT,
    source: { kind: 'text', placeholder: 'name', description: 'only sessions from this source (cli, tui, telegram, …)' },
  },
  json: 'one JSON array',
  examples: ['hermes sessions list --limit 5', "hermes sessions list --json | jq -r '.[0].id'"],
  needs: ['store'],
  run: ({ limit, source }, { store }, { othersRead }) => {
    refuseBeforeOthers(othersRead, 'sessions');
    return store.list({ ...(limit > 0 && { limit }), ...(source !== undefined && { source }) });
  },
  describe: (found) =>
    found.map(({ id, title, messages }) => `${id}  ${toVisibleLine(title ?? '')} (${formatCount(messages, 'message')})`).join('\n') ||
    'No sessions found.',
});

/** A session, where it came from and what came from it. */
export interface SessionFamily {
  readonly session: Session;
  readonly entries: readonly Entry[];
  /** From the parent up to the first. */
  readonly ancestors: readonly Session[];
  readonly children: readonly Session[];
}

export const sessionsShow = defineCommand({
  ...FACTS,
  name: 'sessions show',
  summary: 'Show a session with its entries',
  arguments: { session: SESSION_REF },
  json: 'as JSON: {session, entries}',
  examples: ['hermes sessions show 20260101_12      any unique beginning of an id will do'],
  needs: ['store'],
  run: async ({ session: ref }, { store }): Promise<SessionFamily> => {
    const session = await findSession(ref, store);
    return { session, entries: await store.entries(session.id), ...(await relativesOf(session, store)) };
  },
});

async function relativesOf(session: Session, store: SessionStore): Promise<Pick<SessionFamily, 'ancestors' | 'children'>> {
  const all = await store.list();
  const byId = new Map(all.map((other) => [other.id, other]));
  const ancestors: Session[] = [];
  for (
    let up = byId.get(session.parent?.sessionId ?? '');
    up !== undefined && !ancestors.includes(up);
    up = byId.get(up.parent?.sessionId ?? '')
  )
    ancestors.push(up);
  return { ancestors, children: all.filter((other) => other.parent?.sessionId === session.id) };
}

export const sessionsSearch = defineCommand({
  ...FACTS,
  name: 'sessions search',
  summary: 'Search all sessions for words, parts of words or "phrases"; -word excludes',
  arguments: { words: { kind: 'list', required: true, prose: true, description: 'the words to search for' } },
  options: { limit: LIMIT },
  json: 'one JSON array',
  examples: ['hermes sessions search "exit code" -docker'],
  needs: ['store'],
  run: async ({ words, limit }, { store }) => {
    const query = words.join(' ');
    return { query, hits: await store.search({ text: query, ...(limit > 0 && { limit }) }) };
  },
});

/** One session, or with `count` all of a source. */
export interface SessionExport {
  readonly session?: Session;
  readonly count?: number;
  readonly text: string;
  readonly file?: string;
}

export const sessionsExport = defineCommand({
  ...FACTS,
  name: 'sessions export',
  summary: 'Write a session, or all of a source, to a file or to standard output',
  arguments: {
    session: { kind: 'text', completes: 'session', description: `${SESSION_REF.description}; with --source, the file to write` },
    file: { kind: 'text', completes: 'file', description: 'the file to write; standard output when left out' },
  },
  options: {
    format: { kind: 'choice', choices: ['jsonl', 'md', 'html'], description: 'the format (default: by the file name, else jsonl)' },
    source: {
      kind: 'text',
      placeholder: 'name',
      description:
        'all sessions from this source instead (cli, which is also called oneshot; tui; cron …): a line each, with messages as the API of OpenAI has them',
      conflicts: 'format',
    },
    output: { kind: 'text', letter: 'o', placeholder: 'file', description: 'the file to write, as the second argument' },
  },
  json: 'as JSON: {session, text, file}; with --source {count, text, file}',
  examples: [
    'hermes sessions export 20260101_12 talk.md',
    'hermes sessions export 20260101_12 --format html -o talk.html',
    'hermes sessions export talks.jsonl --source cli',
  ],
  needs: ['store'],
  run: async ({ session: ref, file, output, format, source }, { store }): Promise<SessionExport> => {
    if (source !== undefined) return exportSource(source, [ref, file, output], store);
    if (ref === undefined) throw new UsageError('say which session: hermes sessions export ID, or --source NAME for all of a source.');
    if (file !== undefined && output !== undefined)
      throw new UsageError(`the session can be written to one file, not to ${file} and ${output}. Name one of them.`);
    const [session, target] = [await findSession(ref, store), file ?? output];
    const text = await exportSession(format ?? findExportFormat(target ?? '') ?? 'jsonl', session, store);
    if (target !== undefined) writeNewFile(target, text, `session ${session.id}`);
    return { session, text, ...(target !== undefined && { file: target }) };
  },
});

async function exportSource(
  source: string,
  named: readonly (string | undefined)[],
  store: Pick<SessionStore, 'list' | 'entries' | 'calls'>,
): Promise<SessionExport> {
  const [target, second] = named.filter((each) => each !== undefined);
  if (second !== undefined)
    throw new UsageError(`with --source one file is written, but ${target} and ${second} are named. Leave one out.`);
  const { count, text } = await exportConversations(source, store);
  if (count === 0) throw new UsageError(`there are no sessions from ${source}. hermes sessions list --json shows the source of each.`);
  return { count, text, ...(target !== undefined && { file: writeConversations(target, text) }) };
}

export const sessionsRename = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal', 'chat'],
  slash: ['title'],
  name: 'sessions rename',
  aliases: ['sessions title'],
  summary: 'Give a session a title',
  arguments: {
    session: { ...SESSION_REF, session: 'there is no session yet that could get a title; send a message first.', begins: true },
    title: { kind: 'text', required: true, prose: true, description: 'the new title' },
  },
  json: 'as JSON',
  examples: ['hermes sessions rename 20260101_12 "the release"'],
  needs: ['store'],
  run: async ({ session: ref, title }, { store }) => {
    const session = await store.retitle((await findSession(ref, store)).id, title, 'user');
    return { session, title: session.title ?? title };
  },
  describe: ({ session, title }) => `${session.id} is now “${toVisibleLine(title)}”.`,
});

export const sessionsDelete = defineCommand({
  ...FACTS,
  name: 'sessions delete',
  aliases: ['sessions remove', 'sessions rm'],
  summary: 'Delete a session permanently',
  arguments: { session: SESSION_REF },
  options: { yes: { kind: 'flag', description: 'do not ask for confirmation' } },
  destructive: async ({ session: ref }, { store }) => {
    const { id, title, messages } = await findSession(ref, store);
    return `session ${id}${title === undefined ? '' : ` “${title}”`} (${formatCount(messages, 'message')})`;
  },
  json: 'as JSON',
  examples: ['hermes sessions delete 20260101_12 --yes'],
  needs: ['store'],
  run: async ({ session: ref }, { store }): Promise<{ readonly session: Session; readonly ok: boolean }> => {
    const session = await findSession(ref, store);
    await store.remove(session.id);
    return { session, ok: true };
  },
});

const NEW_PROMPT: NewEntry = { type: 'note', origin: 'user', text: 'The user asked for a new prompt.', asks: 'new_prompt' };

export const sessionsRebuildPrompt = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal'],
  slash: ['reload-skills', 'reload'],
  whileBusy: 'queue',
  name: 'sessions rebuild-prompt',
  summary: 'Rebuild the system prompt of a session; the provider’s cache of the old one is lost',
  arguments: { session: { ...SESSION_REF, session: 'there is no session yet; the next message begins with a new prompt anyway.' } },
  json: 'as JSON',
  examples: ['hermes sessions rebuild-prompt 20260101_12'],
  needs: ['store'],
  run: async ({ session: ref }, { store }) => {
    const session = await findSession(ref, store);
    const claim = await store.claim(session.id);
    try {
      await store.commit(claim, { append: [NEW_PROMPT] });
    } finally {
      await store.release(claim);
    }
    return { session };
  },
  describe: () => 'The next message begins with a new system prompt: skills, memory, SOUL.md and project files as they are now.',
});

/** Shortens what the model sees of a session now, keeping above all what is named. `ok: false` when it stays as it is. */
export const sessionsCompress = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal', 'chat'],
  slash: ['compress', 'compact'],
  whileBusy: 'queue',
  name: 'sessions compress',
  aliases: ['sessions compact'],
  summary: 'Shorten what the model sees of a session now; the log keeps everything',
  arguments: {
    session: {
      ...SESSION_REF,
      session:
        'there is nothing to compress: no session is open. Send a message first, or name a session: hermes chat --resume ID -q "/compress", or hermes sessions compress ID',
    },
    topic: { kind: 'text', prose: true, description: 'what matters most and must be kept' },
  },
  json: 'the events as JSON lines',
  examples: ['hermes sessions compress 20260101_12 "the migration"', 'hermes chat --continue -q "/compress the migration"'],
  needs: ['store', 'openSession'],
  run: async ({ session: ref, topic }, { store, openSession }, { report, signal }: CommandContext<AgentEvent>) => {
    const session = await findSession(ref, store);
    const events = (await openSession(session)).compact(signal, topic);
    for (;;) {
      const { value, done } = await events.next();
      if (done === true) return { session, ok: value };
      report(value);
    }
  },
  describe: ({ ok }) =>
    ok
      ? 'The model sees less of this session now; the log keeps everything.'
      : 'The conversation was not compressed. It may be too short for that.',
});

export const sessionsRepair = defineCommand({
  ...FACTS,
  name: 'sessions repair',
  summary: 'Check the session store and rebuild its indexes',
  json: 'as JSON',
  examples: ['hermes sessions repair'],
  needs: ['storeCare'],
  run: async (_values, { storeCare }) => {
    const report = await storeCare.repair();
    return { ...report, ok: report.lost.length === 0 };
  },
});

export const sessionsBackup = defineCommand({
  ...FACTS,
  name: 'sessions backup',
  summary: 'Copy the session store to a file',
  arguments: { file: { kind: 'text', required: true, completes: 'file', description: 'the file to write' } },
  json: 'as JSON',
  examples: ['hermes sessions backup ~/hermes-backup.db'],
  needs: ['store'],
  run: async ({ file }, { store }) => {
    if (existsSync(file)) throw createFileExistsError(file);
    // A disk that is not mounted must not be made up by a folder of its name.
    if (!existsSync(dirname(resolve(file))))
      throw new UsageError(`the folder ${dirname(resolve(file))} does not exist. Create it, or choose another file.`);
    if (store.care === undefined) throw new UsageError('this session store is not a file. Back it up where it is kept.');
    await store.care.backup(file);
    return { file };
  },
});
