import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { isatty } from 'node:tty';
import { messageOf, UsageError } from '../../base/errors.ts';
import { homeAt } from '../../base/home.ts';
import type { NewEntry } from '../../contracts/entry.ts';
import type { Session, SessionStore } from '../../contracts/session-store.ts';
import { entryRows, exportText, hitRow, sessionRow } from '../../faces/cli/export.ts';
import { count } from '../../faces/cli/figures.ts';
import { drawHits, drawList, drawSession } from '../../faces/cli/sessions.ts';
import type { JsonFlag } from '../../faces/cli/verbs.ts';
import { repairSqliteStore } from '../../parts/store/sqlite/store.ts';
import { processScreen } from '../screen.ts';
import { oneSession, openStore } from '../host/store.ts';

export async function list(flags: JsonFlag & { readonly limit: number; readonly source?: string }): Promise<number> {
  const screen = processScreen();
  await using store = await openStore(process.env);
  const sessions = await store.list({ limit: flags.limit, ...(flags.source !== undefined && { source: flags.source }) });
  if (flags.json === true) screen.json(sessions.map(sessionRow));
  else screen.out(drawList(sessions, screen));
  return 0;
}

export async function show(ref: string, flags: JsonFlag): Promise<number> {
  const screen = processScreen();
  await using store = await openStore(process.env);
  const session = oneSession(ref, await store.find(ref));
  const entries = await store.entries(session.id);
  if (flags.json === true) screen.json({ session: sessionRow(session), entries: entryRows(entries) });
  else screen.out(drawSession({ session, entries, ...(await familyOf(session, store)) }, screen));
  return 0;
}

async function familyOf(
  session: Session,
  store: SessionStore,
): Promise<{ readonly ancestors: readonly Session[]; readonly children: readonly Session[] }> {
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

export async function search(text: string, flags: JsonFlag & { readonly limit: number }): Promise<number> {
  const screen = processScreen();
  await using store = await openStore(process.env);
  const hits = await store.search({ text, limit: flags.limit });
  if (flags.json === true) screen.json(hits.map(hitRow));
  else screen.out(drawHits(text, hits, screen));
  return 0;
}

export async function exportSession(
  ref: string,
  file: string | undefined,
  { format }: { readonly format: 'jsonl' | 'md' },
): Promise<number> {
  const screen = processScreen();
  await using store = await openStore(process.env);
  const session = oneSession(ref, await store.find(ref));
  const text = exportText(format, session, await store.entries(session.id));
  if (file === undefined) screen.out(text);
  else writeExport(session, file, text);
  return 0;
}

function writeExport(session: Session, file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600 });
  } catch (error) {
    throw new UsageError(`session ${session.id} could not be written to ${file}: ${messageOf(error)}. Name another file.`);
  }
  process.stderr.write(`Session ${session.id} is in ${file}.\n`);
}

export async function rename(ref: string, title: string): Promise<number> {
  const screen = processScreen();
  await using store = await openStore(process.env);
  const session = await store.retitle(oneSession(ref, await store.find(ref)).id, title, 'user');
  screen.out(`${session.id} is now “${session.title ?? title}”.\n`);
  return 0;
}

/** Gone is gone, so a person is asked and a script has to say it. */
export async function remove(ref: string, flags: { readonly yes?: boolean }): Promise<number> {
  const screen = processScreen();
  await using store = await openStore(process.env);
  const session = oneSession(ref, await store.find(ref));
  const what = `session ${session.id}${session.title === undefined ? '' : ` “${session.title}”`} (${count(session.messages, 'message')})`;
  if (flags.yes !== true && !(await agreed(what))) {
    screen.out('Nothing is removed.\n');
    return 1;
  }
  await store.remove(session.id);
  screen.out(`Session ${session.id} is removed.\n`);
  return 0;
}

async function agreed(what: string): Promise<boolean> {
  if (!isatty(0)) throw new UsageError(`this removes ${what} for good; add --yes to do it.`);
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await prompt.question(`Remove ${what} for good? [y/N] `)).trim());
  } finally {
    prompt.close();
  }
}

/** A new prompt epoch at the next turn, because the user asked for it. */
export async function rebuildPrompt(ref: string): Promise<number> {
  const screen = processScreen();
  await using store = await openStore(process.env);
  const session = oneSession(ref, await store.find(ref));
  const claim = await store.claim(session.id);
  try {
    await store.commit(claim, { append: [WISH] });
  } finally {
    await store.release(claim);
  }
  screen.out(`The next turn of session ${session.id} starts with a new prompt; the provider’s cache of the old one is lost.\n`);
  return 0;
}
const WISH: NewEntry = { type: 'note', origin: 'user', text: 'The user asked for a new prompt.', asks: 'new_prompt' };

export async function repair(flags: JsonFlag): Promise<number> {
  const screen = processScreen();
  const report = await repairSqliteStore({ path: homeAt(process.env).store });
  if (flags.json === true) {
    screen.json(report);
    return 0;
  }
  for (const problem of report.problems) screen.out(`${screen.paint.warn('!')} ${problem}\n`);
  screen.out(
    `Rebuilt: ${report.rebuilt.join(', ')}. ${screen.paint.good(`${count(report.sessions, 'session')} with ${count(report.entries, 'entry', 'entries')} are in order.`)}\n`,
  );
  return 0;
}

export async function backup(file: string): Promise<number> {
  const screen = processScreen();
  await using store = await openStore(process.env);
  await store.backup(file);
  screen.out(`The store is copied to ${file}.\n`);
  return 0;
}
