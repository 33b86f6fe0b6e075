import { readStringAt } from '../../../../base/json.ts';
import type { Json, JsonObject } from '../../../../base/json-types.ts';
import { requireRun, requireSession } from '../request/access.ts';
import { beginRun, type AskedRun } from '../request/begin-run.ts';
import type { ApiContext, ApiRequest, ApiRoute } from '../http/contract.ts';
import { ApiError, createBadRequest, toJsonAnswer } from '../http/errors.ts';
import { readBody, readList, readText } from '../request/read-body.ts';
import { readConversation, type ClientConversation } from '../request/messages.ts';
import { CONSENT_CHOICES } from '../runs/recorder.ts';
import { createRunStream, toRunObject } from '../wire/run.ts';
import { answerStream, describeRunHeaders } from './answer.ts';
import { loadImages } from './chat.ts';
import { findResponse } from './responses.ts';

export const RUN_ROUTES: readonly ApiRoute[] = [
  { method: 'POST', path: '/v1/runs', about: 'begin a turn and come back for it', handle: startRun },
  { method: 'GET', path: '/v1/runs/{id}', about: 'how a run stands, and what came of it', handle: readRun },
  { method: 'GET', path: '/v1/runs/{id}/events', about: 'its events, from any number on', handle: readEvents },
  { method: 'POST', path: '/v1/runs/{id}/stop', about: 'stop it', handle: stopRun },
  { method: 'POST', path: '/v1/runs/{id}/approval', about: 'answer what it asks permission for', handle: approve },
];

async function startRun(request: ApiRequest, context: ApiContext) {
  const body = readBody(request);
  const place = await choosePlace(body, request, context);
  const begun = await beginRun(
    { kind: 'run', conversation: await readInput(body, request, context), isPromised: true, ...(place !== undefined && { place }) },
    request,
    context,
  );
  const run = toRunObject(begun.run);
  return toJsonAnswer(202, begun.isKnown ? run : { ...run, status: 'started' }, describeRunHeaders(begun));
}

/** Words or messages; what was said before may stand in a list of its own. */
async function readInput(body: JsonObject, request: ApiRequest, context: ApiContext): Promise<ClientConversation> {
  const instructions = readText(body, 'instructions');
  const { input } = body;
  const now: readonly Json[] = typeof input === 'string' ? [{ role: 'user', content: input }] : (readList(body, 'input') ?? []);
  if (now.length === 0) throw createBadRequest('missing_value', '"input" is missing.', 'input');
  const before = readList(body, 'conversation_history') ?? [];
  const system: readonly Json[] = instructions === undefined ? [] : [{ role: 'system', content: instructions }];
  return readConversation([...system, ...before, ...now], 'input', loadImages(request, context));
}

async function choosePlace(body: JsonObject, request: ApiRequest, context: ApiContext): Promise<AskedRun['place']> {
  const sessionId = readText(body, 'session_id', 64);
  if (sessionId !== undefined) return { type: 'session', sessionId: (await requireSession(sessionId, request.key, context)).id };
  const previous = readText(body, 'previous_response_id', 64);
  // What the client says was said beats what a response says.
  if (previous === undefined || body['conversation_history'] !== undefined) return { type: 'new' };
  const { sessionId: held, endSeq } = await findResponse(previous, request, context);
  return endSeq === undefined ? { type: 'session', sessionId: held } : { type: 'after', sessionId: held, seq: endSeq };
}

async function readRun({ params, key }: ApiRequest, context: ApiContext) {
  return toJsonAnswer(200, toRunObject(await requireRun(params['id'] ?? '', key, context)));
}

async function readEvents(request: ApiRequest, context: ApiContext) {
  const run = await requireRun(request.params['id'] ?? '', request.key, context);
  return answerStream({ run, isKnown: false }, createRunStream(run), request, context);
}

async function stopRun({ params, key }: ApiRequest, context: ApiContext) {
  const run = await requireRun(params['id'] ?? '', key, context);
  const { runs } = context.host.store;
  if (await runs.requestStop(run.id)) context.lines.stop(run);
  return toJsonAnswer(200, toRunObject((await runs.find(run.id)) ?? run));
}

async function approve(request: ApiRequest, context: ApiContext) {
  const { params, key } = request;
  const run = await requireRun(params['id'] ?? '', key, context);
  if (!key.mayApprove)
    throw new ApiError(403, 'approval_not_allowed', 'This key may not allow anything. The owner can: hermes approvals list');
  const body = readBody(request);
  const choice = CONSENT_CHOICES.find((each) => each === readStringAt(body, 'choice'));
  if (choice === undefined) throw createBadRequest('invalid_value', `"choice" must be one of ${CONSENT_CHOICES.join(', ')}.`, 'choice');
  // For good means for every session of the home.
  if (choice === 'always' && !key.isMain)
    throw new ApiError(403, 'approval_not_allowed', `Only the owner's key may allow something for good. Choose "once" or "session".`);
  // One that died with its call, in a server that is gone, is passed over.
  for (const id of await listQuestions(run.id, readText(body, 'approval_id', 64), context))
    if (await context.questions.answer(id, choice)) return toJsonAnswer(200, { run_id: run.id, approval_id: id, choice });
  throw new ApiError(409, 'nothing_to_approve', 'The run waits for no such answer.');
}

/** The questions of this run that were not answered; the one of that id, where one is named. */
async function listQuestions(runId: string, id: string | undefined, { host }: ApiContext): Promise<readonly string[]> {
  const events = await host.store.runs.events(runId, 0, Number.MAX_SAFE_INTEGER);
  const idsOf = (type: string) =>
    events.filter((event) => event.type === type).flatMap(({ data }) => readStringAt(data, 'approval_id') ?? []);
  const answered = new Set(idsOf('approval.responded'));
  return idsOf('approval.request').filter((asked) => !answered.has(asked) && (id === undefined || asked === id));
}
