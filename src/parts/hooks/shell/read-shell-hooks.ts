import { homedir } from 'node:os';
import { join } from 'node:path';
import { isObject } from '../../../base/json.ts';
import { sha256 } from '../../../base/sha256.ts';
import { splitTypedLine } from '../../../base/shell-words.ts';
import { HOOK_KINDS, isHookName, TOOL_HOOKS } from '../../../contracts/hook-catalog.ts';
import type { HookName } from '../../../contracts/hooks.ts';
import { describeUnknownEvent, OUTBOUND } from '../entries/events.ts';
import { readMatcher } from './matcher.ts';

/** A command of the owner's that is run when something happens. */
export interface ShellHook {
  /** The event and its place in the list: `pre_tool_call/1`. */
  readonly name: string;
  readonly event: HookName;
  /** As it is written. */
  readonly command: string;
  readonly argv: readonly string[];
  readonly matcher: string;
  readonly matches: (tool: string) => boolean;
  readonly timeoutMs: number;
  /** Whether a decision that cannot be had is a no. */
  readonly failClosed: boolean;
  /** By which it is trusted: the same wherever it stands in the list. */
  readonly trustName: string;
}
export type ShellHookReading =
  | { readonly ok: true; readonly hook: ShellHook }
  | {
      readonly ok: false;
      readonly name: string;
      readonly why: string;
      /** It was to decide, and to say no when it cannot. */
      readonly blocks?: HookName;
    };

export const DEFAULT_SECONDS = 60;
export const MAX_SECONDS = 300;
/** It would start a process for every piece of text. */
const TOO_OFTEN: HookName = 'on_stream_delta';

/** Every command that stands under the setting `hooks`, in the order it is run. */
export const readShellHooks = (table: Readonly<Record<string, unknown>>): readonly ShellHookReading[] =>
  Object.entries(table).flatMap(([event, entries]): readonly ShellHookReading[] => {
    if (event === OUTBOUND) return [];
    if (!isHookName(event)) return [{ ok: false, name: event, why: describeUnknownEvent(event) }];
    if (event === TOO_OFTEN)
      return [{ ok: false, name: event, why: 'it would start a process for every piece of text; use on_stream_end' }];
    if (!Array.isArray(entries)) return [{ ok: false, name: event, why: 'it is not a list; write - command: PROGRAM below it' }];
    return entries.map((entry: unknown, index) => readEntry(event, `${event}/${index + 1}`, entry));
  });

const KEYS = ['command', 'matcher', 'timeout', 'fail_closed'];

function readEntry(event: HookName, name: string, entry: unknown): ShellHookReading {
  if (!isObject(entry)) return { ok: false, name, why: `it is not a table of ${KEYS.join(', ')}` };
  const failClosed = entry['fail_closed'] === true;
  const refuse = (why: string): ShellHookReading => ({
    ok: false,
    name,
    why,
    ...(failClosed && HOOK_KINDS[event] === 'decide' && { blocks: event }),
  });
  const unknown = Object.keys(entry).filter((key) => !KEYS.includes(key));
  if (unknown.length > 0) return refuse(`it has keys that nobody reads: ${unknown.join(', ')}. There are ${KEYS.join(', ')}`);
  const { command, matcher = '', timeout = DEFAULT_SECONDS } = entry;
  if (typeof command !== 'string' || command.trim() === '') return refuse('its command is missing');
  const argv = splitCommand(command);
  if (argv === undefined) return refuse('a quote in its command is never closed');
  if (typeof timeout !== 'number' || !(timeout > 0) || timeout > MAX_SECONDS)
    return refuse(`its timeout must be a number of seconds, at most ${MAX_SECONDS}`);
  if (entry['fail_closed'] !== undefined && typeof entry['fail_closed'] !== 'boolean')
    return refuse('its fail_closed must be true or false');
  if (typeof matcher !== 'string') return refuse('its matcher must be a text such as terminal|write_file');
  if (matcher !== '' && !TOOL_HOOKS.has(event)) return refuse(`${event} is about no tool, so it takes no matcher. Remove the matcher`);
  const read = readMatcher(matcher);
  if (!read.ok) return refuse(read.why);
  const trustName = `shell:${sha256(JSON.stringify([event, command])).slice(0, 32)}`;
  const { matches } = read;
  return { ok: true, hook: { name, event, command, argv, matcher, matches, timeoutMs: timeout * 1_000, failClosed, trustName } };
}

/** Words as a shell would take them, without a shell: nothing is expanded but `~/` at the beginning of a word. */
function splitCommand(command: string): readonly string[] | undefined {
  const { words, typed } = splitTypedLine(`${command} `);
  if (typed !== '' || words.length === 0) return undefined;
  return words.map((word) => (word.startsWith('~/') ? join(homedir(), word.slice(2)) : word));
}
