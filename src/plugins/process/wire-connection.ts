import { isObject, parseJson, readNumberAt, readPath, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { toPluginLine } from '../words/plugin-words.ts';
import { MAX_WIRE_BYTES, type PluginMethod, type ToPlugin } from './wire.ts';
import type { PluginChild } from './plugin-child.ts';

export interface PluginCall {
  readonly method: PluginMethod;
  readonly params: JsonObject;
  onReport?(note: string): void;
}
/** Questions to one process and its answers. Once it has ended, every question fails with how it ended. */
export interface WireConnection {
  /** `undefined` when the plugin answered nothing. */
  ask(call: PluginCall, signal: AbortSignal): Promise<Json | undefined>;
  readonly isOpen: boolean;
  /** Ends the process, and says why to all who wait for it. */
  breakOff(why: string): void;
  /** Settles with how it ended, and the last it printed. */
  readonly ended: Promise<string>;
}

const MAX_WAITING = 512;
const TAIL = 2_000;
const MAX_NOTE = 200;
/** Of what a call threw, which the model reads as well. */
const MAX_ERROR = 2_000;

interface WaitingCall {
  readonly resolve: (value: Json | undefined) => void;
  readonly reject: (error: Error) => void;
  readonly onReport: ((note: string) => void) | undefined;
}

export function connectPlugin(child: PluginChild, notice: (words: string) => void): WireConnection {
  const waiting = new Map<number, WaitingCall>();
  let [last, tail, isOpen, why] = [0, '', true, ''];
  child.stderr.setEncoding('utf8').on('data', (text: string) => (tail = (tail + text).slice(-TAIL)));
  child.stderr.on('error', () => {});
  child.stdin.on('error', () => {});
  child.stdout.on('error', () => {});
  const breakOff = (reason: string): void => {
    why ||= reason;
    child.kill();
  };
  readLines(child, (line) => receive(parseJson(line), waiting, notice), breakOff);
  const ended = child.ended.then((how) => {
    isOpen = false;
    const words = toPluginLine(why === '' ? describeEnd(how, tail) : [why, ...findLastError(tail)].join(': '));
    for (const { reject } of waiting.values()) reject(new Error(words));
    waiting.clear();
    return words;
  });
  const write = (message: ToPlugin): boolean => {
    const line = `${JSON.stringify(message)}\n`;
    if (Buffer.byteLength(line) > MAX_WIRE_BYTES) return false;
    child.stdin.write(line);
    return true;
  };
  return {
    get isOpen() {
      return isOpen && why === '';
    },
    breakOff,
    ended,
    ask: ({ method, params, onReport }, signal) => {
      if (!isOpen) return ended.then((words) => Promise.reject(new Error(words)));
      if (waiting.size >= MAX_WAITING) return Promise.reject(new Error(`more than ${MAX_WAITING} calls wait for it`));
      const { promise, resolve, reject } = Promise.withResolvers<Json | undefined>();
      const id = ++last;
      const onAbort = (): void => {
        waiting.delete(id);
        write({ cancel: id });
        reject(signal.reason instanceof Error ? signal.reason : new Error('it was stopped'));
      };
      waiting.set(id, { resolve, reject, onReport });
      if (!write({ id, method, params })) {
        waiting.delete(id);
        reject(new Error(`what it would be told is longer than ${MAX_WIRE_BYTES / 1_000_000} MB`));
      } else if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
      return promise.finally(() => signal.removeEventListener('abort', onAbort));
    },
  };
}

/** Why it ended, as far as what it printed tells. Whoever ends a program by hand prints the reason as the last line. */
function describeEnd(how: string, printed: string): string {
  const [error] = [...findUncaught(printed), ...findLastError(printed)];
  if (error !== undefined) return `it ended (${how}): ${error}`;
  const line = splitLines(printed).at(-1);
  return line === undefined ? `it ended (${how})` : `it ended (${how}); the last line it printed: ${line}`;
}

/** Node.js puts what nobody caught, an error or anything else, below a line that points up at the code. */
const findUncaught = (printed: string): readonly string[] => {
  const lines = splitLines(printed);
  const pointer = lines.findLastIndex((line) => /^\^+$/.test(line));
  return pointer < 0 ? [] : lines.slice(pointer + 1, pointer + 2);
};

/** What programs print before they die is long; one line of it says why. */
const findLastError = (printed: string): readonly string[] =>
  splitLines(printed)
    .filter((line) => /(?:^|\s)(?:(?:[A-Z]\w*)?Error|FATAL ERROR)\b/.test(line))
    .slice(-1);

const splitLines = (printed: string): readonly string[] =>
  printed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Foreign data: what is no answer to a question of ours is dropped. */
function receive(message: Json | undefined, waiting: Map<number, WaitingCall>, notice: (words: string) => void): void {
  if (!isObject(message)) return;
  const words = readStringAt(message, 'notice');
  if (words !== undefined) return notice(words);
  const reported = readNumberAt(message, 'report');
  if (reported !== undefined) return waiting.get(reported)?.onReport?.(toPluginLine(readStringAt(message, 'note') ?? '', MAX_NOTE));
  const id = readNumberAt(message, 'id') ?? 0;
  const asked = waiting.get(id);
  waiting.delete(id);
  const error = readStringAt(message, 'error');
  if (error === undefined) asked?.resolve(readPath(message, 'result'));
  else asked?.reject(new Error(toPluginLine(error, MAX_ERROR)));
}

/** Lines of bounded length: more than that without an end breaks off. */
function readLines({ stdout }: PluginChild, onLine: (line: string) => void, breakOff: (why: string) => void): void {
  let parts: Buffer[] = [];
  let bytes = 0;
  stdout.on('data', (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      onLine(Buffer.concat([...parts, rest.subarray(0, end)]).toString('utf8'));
      [parts, bytes, rest] = [[], 0, rest.subarray(end + 1)];
    }
    bytes += rest.length;
    if (rest.length > 0) parts.push(rest);
    if (bytes > MAX_WIRE_BYTES) {
      [parts, bytes] = [[], 0];
      breakOff(`it sent a message of more than ${MAX_WIRE_BYTES / 1_000_000} MB and was ended`);
    }
  });
}
