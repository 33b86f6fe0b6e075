import { shortenTitle } from '../../../../agent/naming.ts';
import { randomHex } from '../../../../base/ids.ts';
import type { JsonObject } from '../../../../base/json-types.ts';
import { sha256 } from '../../../../base/sha256.ts';
import { createTextBlock, type TextBlock } from '../../../../contracts/message.ts';
import type { NewRun, OwnedSession, Run, RunPlace } from '../../../../contracts/run-store.ts';
import { API_PLATFORM, PLAIN_SOURCE, requireSession } from './access.ts';
import type { ApiContext, ApiKey, ApiRequest } from '../http/contract.ts';
import { ApiError, createNotFound } from '../http/errors.ts';
import type { ClientConversation } from './messages.ts';
import { PREFIX_FIELD } from '../runs/prefix.ts';
import { readHeader } from './read-body.ts';
import { createSeed, toSaidBlocks } from './seed.ts';
import { findBroughtResults, keepTools } from './client-tools.ts';
import { describeResults } from '../runs/client-tools.ts';
import type { Sampling } from '../../../../contracts/provider.ts';

/** What a run is begun with. */
export interface AskedRun {
  readonly kind: RunKind;
  readonly conversation: ClientConversation;
  /** Where it takes place, where the request says so; otherwise where its conversation stood. */
  readonly place?:
    | Extract<RunPlace, { type: 'session' | 'after' }>
    | { readonly type: 'named'; readonly name: string }
    | { readonly type: 'new' };
  /** What its answer is made of besides. */
  readonly request?: JsonObject;
  /** Told to the model beside the message. */
  readonly beside?: string;
  readonly sampling?: Sampling;
  /** A session that goes when its answer was given: no tools of ours, no memory, no prompt. */
  readonly isPlain?: boolean;
  readonly isBrief?: boolean;
  /** Its client is told that it has begun, and need not stay. */
  readonly isPromised?: boolean;
}
/** How a run was asked for, which says what its answer looks like. */
export type RunKind = 'chat' | 'response' | 'run' | 'session';

export const SESSION_HEADER = 'x-hermes-session-id';
const SCOPE_HEADER = 'x-hermes-session-key';
const BUSY_SECONDS = 5;

export interface BegunRun {
  readonly run: Run;
  /** It was begun before, under the same key. */
  readonly isKnown: boolean;
}

/** Begins a run, once for each idempotency key. Everything it needs is kept when this returns. */
export async function beginRun(asked: AskedRun, request: ApiRequest, context: ApiContext): Promise<BegunRun> {
  const { host, lines, maxRuns } = context;
  const isSpent = await hasSpentAll(request.key, context);
  const place = await choosePlace(asked, request, context);
  // Nothing new is begun then; what was begun under the same idempotency key is still found.
  const maxOpen = isSpent || context.isDraining() ? 0 : maxRuns;
  const begin = async (at: RunPlace) => host.store.runs.begin({ ...(await describeRun(asked, request, at, context)), maxOpen });
  const brought = await findBroughtResults(asked.conversation, request.key, context);
  const continuing = brought && { ...(await describeRun(asked, request, place, context)), maxOpen, continues: brought.run.id };
  const continued =
    continuing &&
    (await host.store.runs.begin({
      ...continuing,
      request: {
        ...keepTools(continuing.request, brought.run),
        ...describeResults(brought.results, brought.run),
        continues: brought.run.id,
      },
    }));
  const first = continued === undefined || continued.type === 'missing' ? await begin(place) : continued;
  // The session went away between the look and the step.
  const beginning = first.type === 'missing' && asked.place === undefined ? await begin(createPlace(asked, request, context)) : first;
  switch (beginning.type) {
    case 'begun':
      lines.wake(beginning.session.id);
      return { run: beginning.run, isKnown: false };
    case 'known':
      return { run: beginning.run, isKnown: true };
    case 'conflict':
      throw new ApiError(409, 'idempotency_conflict', 'This Idempotency-Key was used for another request.');
    case 'full':
      throw isSpent ? new ApiError(429, 'insufficient_quota', 'The budget of this key is used up.') : createBusyError(context);
    case 'missing':
      throw createNotFound('session', 'sessionId' in place ? place.sessionId : '');
  }
}

/** What is left of a budget is judged before every model call; a key that has used it up begins nothing. */
async function hasSpentAll({ name, budget }: ApiKey, { host: { store } }: ApiContext): Promise<boolean> {
  if (budget === undefined) return false;
  const spent = await store.runs.spent(name);
  return spent.tokens >= (budget.tokens ?? Infinity) || spent.price >= (budget.usd ?? Infinity);
}

const createBusyError = ({ isDraining, maxRuns }: ApiContext): ApiError => {
  const headers = { 'retry-after': String(BUSY_SECONDS) };
  return isDraining()
    ? new ApiError(503, 'shutting_down', 'The server is about to end. Try again in a moment.', { headers })
    : new ApiError(429, 'too_many_runs', `${maxRuns} runs are at work. Try again when one has ended.`, { headers });
};

async function describeRun(asked: AskedRun, request: ApiRequest, place: RunPlace, context: ApiContext): Promise<Omit<NewRun, 'maxOpen'>> {
  const { kind, conversation, isBrief, isPromised, sampling, beside } = asked;
  const key = readHeader(request, 'idempotency-key');
  const bodyHash = sha256(`${request.path}\n${request.headers[SESSION_HEADER] ?? ''}\n${sha256(request.body)}`);
  const seeded = 'seed' in place ? createSeed(conversation.history).before : [];
  return {
    owner: request.key.name,
    kind,
    request: { model: context.modelName, ...(kind === 'chat' && { [PREFIX_FIELD]: conversation.prefix }), ...asked.request },
    place,
    item: {
      content: [...seeded, ...toSaidBlocks(conversation.input)],
      overlay: [
        ...(await createOverlay(conversation, place, context)),
        ...(beside === undefined ? [] : [createTextBlock(beside, 'owner')]),
      ],
      ...(sampling !== undefined && { sampling }),
    },
    ...(key !== undefined && { idempotency: { key, bodyHash } }),
    ...((isBrief === true || asked.isPlain === true) && { isBrief: true as const }),
    ...(isPromised === true && { isPromised }),
  };
}

/** Instructions belong to the beginning of a session. Others, for one that goes on, stand beside the message. */
async function createOverlay(
  { system }: ClientConversation,
  place: RunPlace,
  { host: { store } }: ApiContext,
): Promise<readonly TextBlock[]> {
  const sessionId =
    'sessionId' in place
      ? place.sessionId
      : place.type === 'conversation'
        ? await store.runs.findNamed(place.owner, place.name)
        : undefined;
  const known = sessionId === undefined ? system : ((await store.runs.findOwner(sessionId))?.facts['system'] ?? '');
  return system === '' || known === system ? [] : [createTextBlock(system, 'owner')];
}

async function choosePlace(asked: AskedRun, request: ApiRequest, context: ApiContext): Promise<RunPlace> {
  if (asked.isPlain === true) return createPlace(asked, request, context);
  const named = readHeader(request, SESSION_HEADER);
  if (named !== undefined) return { type: 'session', sessionId: (await requireSession(named, request.key, context)).id };
  const { place, conversation } = asked;
  if (place?.type === 'session' || place?.type === 'after') return place;
  const fresh = createPlace(asked, request, context);
  if (place !== undefined || conversation.history.length === 0) return fresh;
  const known = await context.host.store.runs.findPrefix(request.key.name, [conversation.historyPrefix]);
  return known === undefined ? fresh : { type: 'after', ...known };
}

function createPlace({ place, conversation, isPlain }: AskedRun, request: ApiRequest, context: ApiContext): RunPlace {
  const begun = describeNewSession(request, conversation, context);
  const seed = createSeed(conversation.history).entries;
  const owned =
    isPlain === true
      ? {
          ...begun,
          session: { ...begun.session, source: PLAIN_SOURCE, platform: PLAIN_SOURCE },
          facts: { ...begun.facts, plain: true },
          seed,
        }
      : { ...begun, seed };
  return place?.type === 'named' ? { type: 'conversation', name: place.name, ...owned } : { type: 'new', ...owned };
}

/** A session of a key, in a folder of its own or of the scope that the caller names. */
export function describeNewSession(
  request: ApiRequest,
  { system, input }: Pick<ClientConversation, 'system'> & Partial<Pick<ClientConversation, 'input'>>,
  { makeWorkspace }: ApiContext,
): OwnedSession {
  const { name } = request.key;
  const cwd = makeWorkspace(sha256(`${name}\n${readHeader(request, SCOPE_HEADER) ?? `${randomHex(12)}${randomHex(12)}`}`).slice(0, 16));
  // Both are known with its first prompt.
  const title = shortenTitle(joinWords(input));
  const session = { source: API_PLATFORM, platform: API_PLATFORM, cwd, model: '', provider: '', ...(title !== '' && { title }) };
  return { owner: name, session, facts: system === '' ? {} : { system } };
}

/** The text of a message, without pictures. */
const joinWords = (message: ClientConversation['input'] | undefined): string =>
  (message?.blocks ?? []).flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
