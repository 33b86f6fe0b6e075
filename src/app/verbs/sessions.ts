import { writeFileSync } from 'node:fs';
import { UsageError } from '../../base/errors.ts';
import type { Session } from '../../contracts/session-store.ts';
import { exportLines, renderHits, renderList, renderSession } from '../../faces/cli/sessions.ts';
import { snake } from '../../faces/cli/snake.ts';
import type { JsonFlag } from '../../faces/cli/verbs.ts';
import { openStore } from '../workshop.ts';
import { oneSession } from './chat.ts';

const print = (text: string): number => (process.stdout.write(text.endsWith('\n') ? text : `${text}\n`), 0);
const json = (value: unknown): number => print(JSON.stringify(snake(value), undefined, 2));

export async function list(flags: JsonFlag & { readonly limit: number; readonly source?: string }): Promise<number> {
  await using store = await openStore(process.env);
  const sessions = await store.list({ limit: flags.limit, ...(flags.source !== undefined && { source: flags.source }) });
  return flags.json === true ? json(sessions.map(sessionRow)) : print(renderList(sessions));
}

export async function show(ref: string, flags: JsonFlag): Promise<number> {
  await using store = await openStore(process.env);
  const session = oneSession(ref, await store.find(ref));
  const entries = await store.entries(session.id);
  return flags.json === true ? json({ session: sessionRow(session), entries }) : print(renderSession(session, entries));
}

export async function search(text: string, flags: JsonFlag & { readonly limit: number }): Promise<number> {
  await using store = await openStore(process.env);
  const hits = await store.search({ text, limit: flags.limit });
  return flags.json === true ? json(hits) : print(renderHits(text, hits));
}

export async function exportSession(ref: string, file: string | undefined, { format }: { readonly format: 'jsonl' | 'md' }): Promise<number> {
  await using store = await openStore(process.env);
  const session = oneSession(ref, await store.find(ref));
  const text = exportLines(format, session, await store.entries(session.id));
  if (file === undefined) return print(text);
  writeFileSync(file, text, { mode: 0o600 });
  process.stderr.write(`Session ${session.id} is in ${file}.\n`);
  return 0;
}

export async function rename(ref: string, title: string): Promise<number> {
  await using store = await openStore(process.env);
  const session = await store.retitle(oneSession(ref, await store.find(ref)).id, title, 'user');
  return print(`${session.id} is now “${session.title ?? title}”.`);
}

export async function remove(ref: string, flags: { readonly yes?: boolean }): Promise<number> {
  await using store = await openStore(process.env);
  const session = oneSession(ref, await store.find(ref));
  if (flags.yes !== true) throw new UsageError(`this removes session ${session.id} (${session.messages} messages) for good; add --yes to do it.`);
  await store.remove(session.id);
  return print(`Session ${session.id} is removed.`);
}

/** A new epoch at the next turn, because the user asked for it. */
export async function rebuildPrompt(ref: string): Promise<number> {
  await using store = await openStore(process.env);
  const session = oneSession(ref, await store.find(ref));
  const claim = await store.claim(session.id);
  try {
    await store.commit(claim, { append: [{ type: 'note', origin: 'user', text: REBUILD_NOTE }] });
  } finally {
    await store.release(claim);
  }
  return print(`The next turn of session ${session.id} starts with a new prompt.`);
}
const REBUILD_NOTE = 'rebuild the prompt';

export async function repair(flags: JsonFlag): Promise<number> {
  await using store = await openStore(process.env);
  const report = await store.repair();
  if (flags.json === true) return json(report);
  const problems = report.problems.map((problem) => `  ! ${problem}\n`).join('');
  return print(`${problems}Rebuilt: ${report.rebuilt.join(', ')}. ${report.sessions} sessions with ${report.entries} entries are in order.`);
}

export async function backup(file: string): Promise<number> {
  await using store = await openStore(process.env);
  await store.backup(file);
  return print(`The store is copied to ${file}.`);
}

/** A session as scripts read it: times as ISO text, every key always there. */
const sessionRow = ({ startedAt, updatedAt, title, ...session }: Session) => ({
  ...session,
  title: title ?? null,
  startedAt: new Date(startedAt).toISOString(),
  updatedAt: new Date(updatedAt).toISOString(),
});
