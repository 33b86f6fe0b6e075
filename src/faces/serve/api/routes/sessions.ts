import { rm } from 'node:fs/promises';
import { shortenTitle } from '../../../../agent/naming.ts';
import { branchAt } from '../../../../agent/branch.ts';
import type { JsonObject } from '../../../../base/json-types.ts';
import { dropRewound, isMessageEntry } from '../../../../contracts/entry.ts';
import { isStoreError } from '../../../../contracts/session-store.ts';
import { API_PLATFORM, requireSession } from '../request/access.ts';
import { beginRun, describeNewSession } from '../request/begin-run.ts';
import type { ApiContext, ApiRequest, ApiRoute } from '../http/contract.ts';
import { ApiError, createBadRequest, toJsonAnswer } from '../http/errors.ts';
import { readConversation } from '../request/messages.ts';
import { readBody, readQueryNumber, readText } from '../request/read-body.ts';
import { createSessionStream } from '../wire/run.ts';
import { toMessageObject, toSessionObject } from '../wire/session.ts';
import { readResult } from '../wire/result.ts';
import { answerStream, answerWhole } from './answer.ts';
import { loadImages } from './chat.ts';

export const SESSION_ROUTES: readonly ApiRoute[] = [
  { method: 'GET', path: '/api/sessions', about: 'sessions of this key', handle: listSessions },
  { method: 'POST', path: '/api/sessions', about: 'begin a session', handle: createSession },
  { method: 'GET', path: '/api/sessions/{id}', about: 'one session', handle: readSession },
  { method: 'PATCH', path: '/api/sessions/{id}', about: 'rename it', handle: renameSession },
  { method: 'DELETE', path: '/api/sessions/{id}', about: 'delete it', handle: deleteSession },
  { method: 'GET', path: '/api/sessions/{id}/messages', about: 'what was said in it', handle: listMessages },
  { method: 'POST', path: '/api/sessions/{id}/fork', about: 'a new session that begins with a copy of it', handle: forkSession },
  { method: 'POST', path: '/api/sessions/{id}/chat', about: 'say something in it', handle: chat },
  { method: 'POST', path: '/api/sessions/{id}/chat/stream', about: 'the same, as events', handle: chatStream },
];

const MAX_LIST = 200;
const MAX_TITLE = 200;

const requireOwn = ({ params, key }: ApiRequest, context: ApiContext) => requireSession(params['id'] ?? '', key, context);

async function listSessions(request: ApiRequest, { host }: ApiContext) {
  const [limit, offset] = [readQueryNumber(request, 'limit', 20, MAX_LIST), readQueryNumber(request, 'offset', 0, Number.MAX_SAFE_INTEGER)];
  const { isMain, name } = request.key;
  const found = await host.store.runs.listSessions({ platform: API_PLATFORM, limit: limit + 1, offset, ...(!isMain && { owner: name }) });
  return toJsonAnswer(200, { object: 'list', data: found.slice(0, limit).map(toSessionObject), has_more: found.length > limit });
}

async function createSession(request: ApiRequest, context: ApiContext) {
  const body = readBody(request);
  const [title, system] = [readText(body, 'title', MAX_TITLE), readText(body, 'system') ?? readText(body, 'instructions') ?? ''];
  const owned = describeNewSession(request, { system }, context);
  const session = { ...owned.session, ...(title !== undefined && { title: shortenTitle(title) }) };
  return toJsonAnswer(201, toSessionObject(await context.host.store.runs.createSession({ ...owned, session })));
}

async function readSession(request: ApiRequest, context: ApiContext) {
  return toJsonAnswer(200, toSessionObject(await requireOwn(request, context)));
}

async function renameSession(request: ApiRequest, context: ApiContext) {
  const session = await requireOwn(request, context);
  const title = readText(readBody(request), 'title', MAX_TITLE)?.trim() ?? '';
  if (title === '') throw createBadRequest('missing_value', '"title" is missing.', 'title');
  try {
    return toJsonAnswer(200, toSessionObject(await context.host.store.retitle(session.id, title, 'user')));
  } catch (error) {
    if (isStoreError(error, 'taken')) throw new ApiError(409, 'title_taken', 'Another session has this title.');
    throw error;
  }
}

async function deleteSession(request: ApiRequest, context: ApiContext) {
  const { id, cwd } = await requireOwn(request, context);
  const { store } = context.host;
  const busy = new ApiError(409, 'session_busy', 'A run is at work in this session. Stop it first.');
  if ((await store.runs.listOpen(id)).length > 0 || !(await context.lines.close(id))) throw busy;
  try {
    await store.remove(id);
  } catch (error) {
    throw isStoreError(error, 'busy') ? busy : error;
  }
  // Its files go with the last session that worked there.
  if ((await store.list({ cwd, limit: 1 })).length === 0) await rm(cwd, { recursive: true, force: true });
  return toJsonAnswer(200, { id, object: 'hermes.session.deleted', deleted: true });
}

async function listMessages(request: ApiRequest, context: ApiContext) {
  const { id } = await requireOwn(request, context);
  const [limit, after] = [readQueryNumber(request, 'limit', 100, 1_000), readQueryNumber(request, 'after', 0, Number.MAX_SAFE_INTEGER)];
  const messages = dropRewound(await context.host.store.entries(id)).filter((entry) => entry.seq > after);
  const said = messages.filter(isMessageEntry);
  const data: JsonObject[] = said.slice(0, limit).map(toMessageObject);
  return toJsonAnswer(200, { object: 'list', data, has_more: said.length > limit });
}

async function forkSession(request: ApiRequest, context: ApiContext) {
  const { id } = await requireOwn(request, context);
  const title = readText(readBody(request), 'title', MAX_TITLE);
  const result = await branchAt(context.host.store, id, title === undefined ? {} : { title });
  if (!result.ok) throw new ApiError(409, 'cannot_fork', 'There is nothing in this session yet that could be copied.');
  return toJsonAnswer(201, toSessionObject(result.session));
}

async function begin(request: ApiRequest, context: ApiContext) {
  const { id } = await requireOwn(request, context);
  const body = readBody(request);
  const content = body['message'] ?? body['input'];
  if (content === undefined) throw createBadRequest('missing_value', '"message" is missing.', 'message');
  const conversation = await readConversation([{ role: 'user', content }], 'message', loadImages(request, context));
  return beginRun({ kind: 'session', conversation, place: { type: 'session', sessionId: id } }, request, context);
}

async function chat(request: ApiRequest, context: ApiContext) {
  return answerWhole(
    await begin(request, context),
    (run) => {
      const { output, ...result } = readResult(run);
      return {
        object: 'hermes.session.chat',
        session_id: run.sessionId,
        run_id: run.id,
        message: { role: 'assistant', content: output },
        ...result,
      };
    },
    request,
    context,
  );
}

async function chatStream(request: ApiRequest, context: ApiContext) {
  const begun = await begin(request, context);
  return answerStream(begun, createSessionStream(begun.run), request, context);
}
