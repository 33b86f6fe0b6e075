import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { toErrorMessage, UsageError } from '../base/errors.ts';
import { isObject, parseJson } from '../base/json.ts';
import { replaceFile } from '../base/replace-file.ts';
import { dropRewound, isMessageEntry } from '../contracts/entry.ts';
import type { Usage } from '../contracts/message.ts';
import type { Session, SessionStore } from '../contracts/session-store.ts';
import { readFileSync } from 'node:fs';
import { toTrajectoryMessage } from './trajectory-message.ts';
import { createFileExistsError } from './write-new-file.ts';

/** Names that other programs have for a source of ours: one question on the command line. */
const ALIASES: Readonly<Record<string, string>> = { oneshot: 'cli' };

type ConversationStore = Pick<SessionStore, 'list' | 'entries' | 'calls'>;

/** All sessions of a source, oldest first, one a line: what was said in OpenAI's form, with the tokens of each reply. */
export async function exportConversations(
  source: string,
  store: ConversationStore,
): Promise<{ readonly count: number; readonly text: string }> {
  const sessions = await store.list({ source: ALIASES[source] ?? source });
  const lines = await Promise.all(
    sessions.toReversed().map(async (session) => `${JSON.stringify(await toConversation(session, store))}\n`),
  );
  return { count: lines.length, text: lines.join('') };
}

async function toConversation(session: Session, store: ConversationStore): Promise<object> {
  const entries = dropRewound(await store.entries(session.id)).filter(isMessageEntry);
  const calls = (await store.calls({ sessionId: session.id })).filter(({ purpose }) => purpose === undefined);
  const { id, source, model, title, startedAt, endedAt } = session;
  return {
    id,
    source,
    model,
    title: title ?? null,
    started_at: startedAt / 1_000,
    ended_at: endedAt === undefined ? null : endedAt / 1_000,
    messages: entries.map(({ message, seq, origin }, index) => {
      const before = entries[index - 1]?.seq ?? -1;
      const made = origin === 'model' ? calls.findLast(({ throughSeq }) => throughSeq >= before && throughSeq < seq) : undefined;
      return { ...toTrajectoryMessage(message), ...(made !== undefined && { usage: toUsage(made.usage) }) };
    }),
  };
}

const toUsage = ({ input, cacheRead, cacheWrite, output }: Usage): object => {
  const prompt = input + cacheRead + cacheWrite;
  return { prompt_tokens: prompt, completion_tokens: output, total_tokens: prompt + output };
};

/** Writes such a file. One that an earlier export of conversations wrote is replaced, and nothing else is. */
export function writeConversations(file: string, text: string): string {
  if (existsSync(file) && !isExport(file)) throw createFileExistsError(file);
  try {
    replaceFile(resolve(file), text, 0o600);
    return resolve(file);
  } catch (error) {
    throw new UsageError(`the sessions could not be written to ${file}: ${toErrorMessage(error)}. Name another file.`);
  }
}

function isExport(file: string): boolean {
  const text = readFileSync(file, 'utf8');
  const first = parseJson(text.split('\n', 1)[0] ?? '');
  return text === '' || (isObject(first) && typeof first['id'] === 'string' && Array.isArray(first['messages']));
}
