import { UsageError } from '../base/errors.ts';
import type { CommandContext } from '../contracts/command.ts';
import type { CurrentModel, ModelLine, ModelService, ProviderLine, RouteCandidate, RouteTrouble } from '../contracts/services/models.ts';
import { chooseDefaultModel, findModel } from './choose-model.ts';

/** What setting up says on the way. */
export type SetupProgress =
  | { readonly type: 'checking'; readonly provider: string; readonly model?: string }
  /** The provider refused the key, and another can be typed; or it was asked without one (`isFirst`). */
  | { readonly type: 'wrong_key'; readonly words: string; readonly isFirst: boolean };

/** What was asked for by flags. */
export interface SetupRouteOptions {
  readonly provider?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly model?: string | undefined;
  /** The key, already read from where the flag says. */
  readonly key?: string | undefined;
  readonly keyVariable?: string | undefined;
  /** Take what is found instead of asking. */
  readonly yes: boolean;
}

/** A provider, a key and a model that were tried together. `trouble` is why the model did not answer, though the key may be right. */
export interface SetupRoute {
  readonly provider: ProviderLine;
  readonly candidate: RouteCandidate;
  readonly model: string;
  /** How many models the provider offers; absent when it gave no list. */
  readonly offered?: number;
  readonly check: 'answered' | 'listed' | RouteTrouble;
}

/** Why there is no route. */
export interface FailedRoute {
  readonly provider: ProviderLine;
  readonly trouble: RouteTrouble;
}

type SetupContext = CommandContext<SetupProgress>;

/** So often a key may be typed. */
const MAX_KEYS = 3;

/** The route to save, or why there is none. Nothing is written. */
export async function setUpRoute(
  options: SetupRouteOptions,
  models: ModelService,
  context: SetupContext,
): Promise<SetupRoute | FailedRoute> {
  const current = await models.current();
  const provider = await pickProvider(options, models, current, context);
  const address = options.baseUrl ?? (await askAddress(provider, context));
  const baseUrl = address === undefined ? undefined : toServerAddress(address);
  const base = { provider: provider.id, ...(baseUrl !== undefined && { baseUrl }) };
  let refused: RouteTrouble | undefined;
  const triesWithout = provider.id === 'custom' && provider.hasKey !== true ? 1 : 0;
  for (let round = 0; round < MAX_KEYS + triesWithout; round++) {
    const key = await findKey(provider, options, refused, context);
    const candidate = { ...base, ...key };
    const tried = await tryRoute(candidate, provider, { options, models, current, context });
    context.signal.throwIfAborted();
    if (!('why' in tried)) return tried;
    if (tried.why !== 'wrong_key' || !canTypeKey(provider, options, context)) return { trouble: tried, provider };
    refused = tried;
    context.report({ type: 'wrong_key', words: tried.words, isFirst: round < triesWithout });
  }
  return { trouble: { ok: false, why: 'wrong_key', words: `${provider.id} refused ${MAX_KEYS} keys.` }, provider };
}

/** By flag; else by asking, with what is found offered first; else what is found, if that was asked for. */
async function pickProvider(
  { provider, baseUrl, yes }: SetupRouteOptions,
  models: ModelService,
  current: CurrentModel | undefined,
  { choose }: SetupContext,
): Promise<ProviderLine> {
  if (provider !== undefined) return models.provider(provider);
  if (baseUrl !== undefined) return models.provider('custom');
  const lines = await models.providers();
  const [first] = lines;
  const found = lines.find(({ id }) => id === current?.provider) ?? (first?.state === 'no_key' ? undefined : first);
  if (yes && found !== undefined) return found;
  if (choose === undefined || yes)
    throw new UsageError(
      found === undefined
        ? 'no key and no model server was found, and there is no terminal to ask in. Add --provider NAME and --key-stdin, or --base-url URL. To see all flags: hermes setup --help'
        : `there is no terminal to ask in. Add --provider NAME. To use ${found.id}, which was found: hermes setup --yes`,
    );
  const id = await choose({
    question: 'Which provider?',
    choices: lines.map((line) => ({ value: line.id, note: describeProvider(line) })),
    ...(found !== undefined && { suggested: found.id }),
  });
  return lines.find((line) => line.id === id) ?? models.provider(id);
}

function describeProvider({ state, models, keyVariable, id, needsKey, baseUrl, isLocal, start }: ProviderLine): string {
  if (id === 'custom') return 'any other server, by its address';
  if (isLocal === true && models === undefined && state === 'no_key')
    return `local server, not running${start === undefined ? '' : ` (to start it: ${start})`}`;
  if (models !== undefined) return `local server, running, ${models.length} ${models.length === 1 ? 'model' : 'models'}`;
  if (state === 'key') return `${keyVariable ?? 'a key'} is set`;
  const how = needsKey ? 'needs an API key' : baseUrl;
  return state === 'chosen' ? `in use, ${how}` : how;
}

async function askAddress({ baseUrl, id }: ProviderLine, { ask }: SetupContext): Promise<string | undefined> {
  if (baseUrl !== '') return undefined;
  if (ask === undefined) throw new UsageError(`${id} has no address of its own. Add --base-url URL.`);
  return (await ask('Address of the server, such as http://127.0.0.1:8000/v1?')).trim();
}

/** `127.0.0.1:9999` is an address as people type it. Near servers seldom speak TLS. */
export function toServerAddress(typed: string): string {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `${isNearHost(typed) ? 'http' : 'https'}://${typed}`;
  if (!URL.canParse(address) || !/^https?:/i.test(address))
    throw new UsageError(`${typed} is not the address of a server. Give one such as http://127.0.0.1:8000/v1`);
  return address;
}
const isNearHost = (typed: string): boolean =>
  /^(?:localhost|\[?::1|0\.0\.0\.0|10\.|127\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|[^/:.]+(?::\d+)?(?:\/|$)|[^/:]+\.local(?:[:/]|$))/i.test(
    typed,
  );

const canTypeKey = (
  { isKeyInherited, needsKey }: ProviderLine,
  { key, keyVariable }: SetupRouteOptions,
  { choose }: SetupContext,
): boolean => choose !== undefined && needsKey && isKeyInherited !== true && key === undefined && keyVariable === undefined;

/** Nothing when the one that is set is used, or none is wanted. */
async function findKey(
  provider: ProviderLine,
  { key, keyVariable }: SetupRouteOptions,
  refused: RouteTrouble | undefined,
  context: SetupContext,
): Promise<Pick<RouteCandidate, 'key' | 'keyVariable'>> {
  if (key !== undefined) return { key };
  if (keyVariable !== undefined && keyVariable !== provider.keyVariable) return { keyVariable };
  const isSet = provider.state === 'key' || (provider.state === 'chosen' && provider.hasKey === true);
  // A server named by its address is asked for first without a key: many want none.
  if (!provider.needsKey || ((isSet || provider.id === 'custom') && refused === undefined)) return {};
  const name = provider.keyVariable ?? 'API key';
  if (context.choose === undefined || context.readSecret === undefined)
    throw new UsageError(
      `the key of ${provider.id} is missing. Add --key-stdin and pipe it in, or --key-env NAME. To see all flags: hermes setup --help`,
    );
  const typed = (await context.readSecret({ name, question: `API key of ${provider.id}?` }, context.signal)).trim();
  if (typed === '') throw new UsageError('no key was given. Nothing was changed. To start again: hermes setup');
  return { key: typed };
}

interface RouteTrial {
  readonly options: SetupRouteOptions;
  readonly models: ModelService;
  readonly current: CurrentModel | undefined;
  readonly context: SetupContext;
}

/** Lists the models, chooses one and asks it something. Only a key that is wrong is no route. */
async function tryRoute(
  candidate: RouteCandidate,
  provider: ProviderLine,
  { options, models, current, context }: RouteTrial,
): Promise<SetupRoute | RouteTrouble> {
  context.report({ type: 'checking', provider: provider.id });
  const list = await models.list(candidate, context.signal);
  if (!list.ok && list.why === 'wrong_key') return list;
  const offered = list.ok ? list.models : [];
  const model = pickModel(offered, provider, { options, current });
  if (model === undefined) return list.ok ? noModel(provider) : withStart(list, provider, candidate);
  const facts = { provider, candidate, model, ...(list.ok && { offered: offered.length }) };
  // A server of this machine may have to load the model first, which takes minutes; its own list says that it is there.
  if (provider.isLocal === true && list.ok) return { ...facts, check: 'listed' };
  if (!list.ok && list.why === 'unreachable') return { ...facts, check: list };
  context.report({ type: 'checking', provider: provider.id, model });
  const check = await models.check({ ...candidate, model }, context.signal);
  if (!check.ok && check.why === 'wrong_key') return check;
  return { ...facts, check: check.ok ? 'answered' : check };
}

function pickModel(
  offered: readonly ModelLine[],
  provider: ProviderLine,
  { options: { model }, current }: Pick<RouteTrial, 'options' | 'current'>,
): string | undefined {
  if (model !== undefined) return findModel(model, offered, provider.id).id;
  return chooseDefaultModel(offered, [current?.provider === provider.id ? current.model : undefined, provider.defaultModel]);
}

/** A server of the owner's that does not answer is to be started. */
function withStart(trouble: RouteTrouble, { isLocal, start, id }: ProviderLine, { baseUrl }: RouteCandidate): RouteTrouble {
  if (trouble.why !== 'unreachable') return trouble;
  if (isLocal === true) return { ...trouble, words: `${trouble.words} Start ${id} first${start === undefined ? '' : `: ${start}`}` };
  const isNear = baseUrl !== undefined && isNearHost(new URL(baseUrl).host);
  return isNear ? { ...trouble, words: `${trouble.words} Start the server at ${baseUrl} first.` } : trouble;
}

const noModel = ({ id, isLocal }: ProviderLine): RouteTrouble => ({
  ok: false,
  why: 'other',
  words: `${id} offers no model.${isLocal === true ? ' Install one, for example: ollama pull qwen3' : ''}`,
});
