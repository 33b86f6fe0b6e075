import { parseHost } from '../base/http.ts';
import type { Entry, EntryHead, EpochEntry } from '../contracts/entry.ts';
import type { PromptEpoch } from '../contracts/prompt.ts';
import type { RequestAdjustments } from '../contracts/runtime.ts';
import type { CacheCause } from '../contracts/services/insight.ts';
import type { CallRecord } from '../contracts/ledger.ts';

/** Two neighbouring calls and what the log says of the time between them. */
export interface CallPair {
  readonly previous: CallRecord;
  readonly call: CallRecord;
  readonly segment: string | undefined;
  readonly before: PromptEpoch | undefined;
  readonly after: PromptEpoch | undefined;
  /** Entries the call saw and the previous one did not. */
  readonly between: readonly Entry[];
}

/** Asked in this order; the first that has words names the cause. A cache belongs to one route, so that comes first. */
export const CAUSES: readonly (readonly [CacheCause, (pair: CallPair) => string | undefined])[] = [
  [
    'provider_changed',
    ({ previous: { runtime: a }, call: { runtime: b } }) =>
      a.provider === b.provider ? undefined : `the provider changed from ${a.provider} to ${b.provider}; each has a cache of its own`,
  ],
  [
    'model_changed',
    ({ previous: { runtime: a }, call: { runtime: b } }) =>
      a.model === b.model ? undefined : `the model changed from ${a.model} to ${b.model}; a cache holds for one model`,
  ],
  ['route_changed', routeWords],
  ['tools_changed', toolWords],
  ['memory_changed', onlyIn('memory', ['memory', 'user', 'external-memory'])],
  ['skills_changed', onlyIn('the skills index', ['skills'])],
  ['project_changed', onlyIn('the project context', ['project-context'])],
  ['prompt_changed', promptWords],
  ['rewind', rewindWords],
  ['compaction', compactionWords],
  ['adjustments_changed', adjustmentWords],
  [
    'adjustments_changed',
    ({ segment, between }) =>
      segment !== undefined && between.some((entry) => entry.type === 'note' && entry.signatures === 'refused')
        ? 'adjustments changed: signed reasoning was left out'
        : undefined,
  ],
  [
    'unexplained',
    ({ segment }) =>
      segment === undefined
        ? undefined
        : `${segment} was sent with other bytes though nothing in the log says why: hermes was updated in between, or the log was edited (hermes replay shows which)`,
  ],
  ['cache_used', usedWords],
  [
    'cache_off',
    ({ call }) =>
      call.cacheTtl === 'off' && call.runtime.protocol === 'anthropic-messages'
        ? 'cache marks are switched off (prompt_caching.cache_ttl: off), and this provider caches only what is marked'
        : undefined,
  ],
  ['cache_expired', expiredWords],
  [
    'prefix_unchanged',
    ({ previous }) =>
      `prefix unchanged: the provider evicted it or does not report${promptOf(previous) < CACHEABLE ? ` (most cache nothing below about ${CACHEABLE} tokens)` : ''}`,
  ],
];

function routeWords({ previous: { runtime: a }, call: { runtime: b } }: CallPair): string | undefined {
  if (a.protocol !== b.protocol) return `the wire format changed from ${a.protocol} to ${b.protocol}`;
  if (a.baseUrl !== b.baseUrl)
    return `the address changed from ${parseHost(a.baseUrl) || a.baseUrl} to ${parseHost(b.baseUrl) || b.baseUrl}`;
  return a.credential === b.credential ? undefined : `the key changed from ${a.credential} to ${b.credential}; caches are kept per account`;
}

function toolWords({ segment, before, after, between }: CallPair): string | undefined {
  if (segment !== 'tools' || before === undefined || after === undefined) return undefined;
  const change = describeDifference(before.tools, after.tools);
  return change === undefined ? undefined : `tools changed: ${change}${becauseOf(between)}`;
}

function promptWords({ segment, before, after, between }: CallPair): string | undefined {
  if (segment !== 'system' || before === undefined || after === undefined) return undefined;
  const change = describeDifference(before.slots, after.slots);
  return change === undefined ? undefined : `system prompt changed: ${change}${becauseOf(between)}`;
}

/** A change of the prompt that is all in these slots has a name of its own. */
function onlyIn(what: string, names: readonly string[]): (pair: CallPair) => string | undefined {
  return (pair) => {
    const words = promptWords(pair);
    const [before, after] = [pair.before?.slots ?? [], pair.after?.slots ?? []];
    const others = (slots: typeof before) => slots.filter((slot) => !names.includes(slot.name));
    return words === undefined || describeDifference(others(before), others(after)) !== undefined ? undefined : `${what} changed; ${words}`;
  };
}

const becauseOf = (between: readonly Entry[]): string => {
  const epoch = between.findLast((entry): entry is EntryHead & EpochEntry => entry.type === 'epoch');
  return epoch === undefined ? '' : ` (new prompt: ${epoch.cause})`;
};

function rewindWords({ segment, between }: CallPair): string | undefined {
  const rewind = between.findLast((entry) => entry.type === 'rewind');
  if (segment === undefined || rewind?.type !== 'rewind') return undefined;
  return `turns were taken back: the conversation went on after entry ${rewind.toSeq}`;
}

function compactionWords({ segment, between }: CallPair): string | undefined {
  const compaction = between.findLast((entry) => entry.type === 'compaction');
  if (segment === undefined || compaction?.type !== 'compaction') return undefined;
  return `compaction: entries ${compaction.fromSeq} to ${compaction.toSeq} made place for a summary`;
}

const ADJUSTED: readonly (readonly [keyof RequestAdjustments, string, string])[] = [
  ['images', 'images were left out', 'images are sent again'],
  ['natives', 'signed reasoning was left out', 'signed reasoning is sent again'],
  ['plainSchemas', 'tool schemas are sent in full again', 'tool schemas were made plainer'],
];
function adjustmentWords({ segment, previous, call }: CallPair): string | undefined {
  if (segment === undefined) return undefined;
  const told = ADJUSTED.flatMap(([name, off, on]) =>
    previous.adjust[name] === call.adjust[name] ? [] : [call.adjust[name] === true ? on : off],
  );
  return told.length === 0 ? undefined : `adjustments changed: ${told.join('; ')}`;
}

/** Tokens below which the large providers cache nothing. */
const CACHEABLE = 1_024;
const promptOf = ({ usage }: CallRecord): number => usage.input + usage.cacheRead + usage.cacheWrite;

/** Caches are kept in blocks, so a little less than all is all; less than half is a miss of what followed. */
function usedWords({ previous, call: { usage } }: CallPair): string | undefined {
  if (usage.cacheRead === 0 || usage.cacheRead * 2 < promptOf(previous)) return undefined;
  return `prefix unchanged and found in the cache (${usage.cacheRead} tokens)`;
}

/** How long a provider keeps a prefix nobody asks for. Without marks: what automatic caches promise. */
const LIFETIME = { '5m': 300_000, '1h': 3_600_000, off: 300_000 } as const;

function expiredWords({ previous, call }: CallPair): string | undefined {
  const gap = call.at - previous.at;
  const lifetime = LIFETIME[previous.cacheTtl];
  if (gap <= lifetime) return undefined;
  return `cache lifetime passed: ${Math.round(gap / 60_000)} min since the previous call, and a cached prefix lives ${lifetime / 60_000} min`;
}

interface NamedItem {
  readonly name: string;
}

/** What two lists of named things have not in common, in words. */
function describeDifference(before: readonly NamedItem[], after: readonly NamedItem[]): string | undefined {
  const [old, fresh] = [byName(before), byName(after)];
  const added = [...fresh.keys()].filter((name) => !old.has(name));
  const removed = [...old.keys()].filter((name) => !fresh.has(name));
  const changed = [...fresh].flatMap(([name, bytes]) => (old.has(name) && old.get(name) !== bytes ? [name] : []));
  const told = [['added', added] as const, ['removed', removed] as const, ['changed', changed] as const].filter(
    ([, names]) => names.length > 0,
  );
  if (told.length > 0) return told.map(([what, names]) => `${what} ${names.join(', ')}`).join('; ');
  return [...old.keys()].join() === [...fresh.keys()].join() ? undefined : 'their order';
}
const byName = (list: readonly NamedItem[]): Map<string, string> => new Map(list.map((item) => [item.name, JSON.stringify(item)]));
