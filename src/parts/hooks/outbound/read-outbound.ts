import { isObject } from '../../../base/json.ts';
import { HOOK_KINDS, isHookName } from '../../../contracts/hook-catalog.ts';
import type { ObserveHookName } from '../../../contracts/hooks.ts';
import { describeUnknownEvent, OUTBOUND } from '../entries/events.ts';

/** An address that gets signed events. */
export interface OutboundHook {
  /** Its place in the list: `outbound/1`. */
  readonly name: string;
  readonly url: string;
  readonly events: readonly ObserveHookName[];
  /** The variable that holds the secret it is signed with. */
  readonly secretEnv: string;
}
export type OutboundReading =
  | { readonly ok: true; readonly hook: OutboundHook }
  | { readonly ok: false; readonly name: string; readonly why: string };

const KEYS = ['url', 'events', 'secret_env'];
const VARIABLE = /^[A-Z_][A-Z0-9_]*$/;

/** Every address that stands under `hooks.outbound`. */
export function readOutbound(table: Readonly<Record<string, unknown>>): readonly OutboundReading[] {
  const entries = table[OUTBOUND];
  if (entries === undefined) return [];
  if (!Array.isArray(entries)) return [{ ok: false, name: OUTBOUND, why: 'it is not a list; write - url: ADDRESS below it' }];
  return entries.map((entry: unknown, index) => readEntry(`${OUTBOUND}/${index + 1}`, entry));
}

function readEntry(name: string, entry: unknown): OutboundReading {
  const refuse = (why: string): OutboundReading => ({ ok: false, name, why });
  if (!isObject(entry)) return refuse(`it is not a table of ${KEYS.join(', ')}`);
  const unknown = Object.keys(entry).filter((key) => !KEYS.includes(key));
  if (unknown.length > 0) return refuse(`it has keys that nobody reads: ${unknown.join(', ')}. There are ${KEYS.join(', ')}`);
  const { url, events, secret_env: secretEnv } = entry;
  if (typeof url !== 'string' || !isWebAddress(url)) return refuse('its url must be an address that begins with https:// or http://');
  if (typeof secretEnv !== 'string' || !VARIABLE.test(secretEnv))
    return refuse('its secret_env must be the name of a variable in .env, such as HERMES_HOOK_SECRET, and never the secret itself');
  if (!Array.isArray(events) || events.length === 0) return refuse('its events must be a list, such as [turn_outcome]');
  const names = events.map(String);
  const wrong = names.flatMap((event) => explainEvent(event) ?? []);
  if (wrong[0] !== undefined) return refuse(wrong[0]);
  return { ok: true, hook: { name, url, events: names.filter(isObserved), secretEnv } };
}

const isObserved = (event: string): event is ObserveHookName => explainEvent(event) === undefined;

function explainEvent(event: string): string | undefined {
  if (!isHookName(event)) return describeUnknownEvent(event);
  if (HOOK_KINDS[event] !== 'observe') return `${event} waits for an answer, and an address can only be told; use a command for it`;
  return event === 'on_stream_delta' ? 'on_stream_delta would be a request for every piece of text; use on_stream_end' : undefined;
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === '';
}
