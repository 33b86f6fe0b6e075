import { isObject, parseJson } from '../../../base/json.ts';
import type { Evidence } from './evidence.ts';
import { type StatedTokens, readStatedTokens } from './numbers.ts';

/** What the rules look at: an answer reduced to its status, its codes and its words. */
export interface FailureFacts {
  readonly where: Evidence['where'];
  readonly provider: string;
  /** Of the response, or the one its body names when the response itself says 200; 0 when there is none. */
  readonly status: number;
  /** Whether the response itself claims success. */
  readonly claimsOk: boolean;
  /** Machine-readable names, letters and digits only, in lower case. */
  readonly codes: readonly string[];
  /** Everything said in words: as written, and in lower case. */
  readonly text: string;
  readonly words: string;
  /** The most telling sentence, as the provider wrote it. */
  readonly said: string;
  readonly param: string;
  /** An aggregator passes on what a host behind it said. */
  readonly relayed: boolean;
  readonly json: boolean;
  /** Our estimate of the request's tokens, and as a share of the window; `undefined` when nobody knows. */
  readonly estimate: number | undefined;
  readonly fill: number | undefined;
  readonly numbers: StatedTokens;
}

interface BodyReading {
  readonly messages: string[];
  readonly codes: string[];
  readonly statuses: number[];
  readonly params: string[];
  readonly counts: Map<string, number>;
}

/** More than this no sentence of a provider needs. */
const MAX_WORDS = 8000;
const MAX_PAGE = 16_000;
const MESSAGES = new Set([
  'message',
  'msg',
  'error',
  'detail',
  'details',
  'title',
  'status_msg',
  'error_description',
  'error_msg',
  'errormessage',
  'raw',
  'description',
]);
const CODES = new Set([
  'code',
  'type',
  'status',
  'reason',
  'error_type',
  'errortype',
  'error_code',
  'errorcode',
  'status_code',
  'http_code',
  'quotaid',
  '__type',
]);
const PARAMS = new Set(['param', 'parameter', 'field']);
const INSIDE = new Set([
  'message',
  'error',
  'errors',
  'detail',
  'details',
  'metadata',
  'innererror',
  'response',
  'base_resp',
  'cause',
  'loc',
  'last_error',
  'violations',
]);

export function collectFailureFacts(evidence: Evidence): FailureFacts {
  const body = evidence.body ?? '';
  const reading = readAll(body, evidence);
  const claimsOk = evidence.status === undefined || evidence.status < 300;
  const status = claimsOk ? (reading.statuses[0] ?? 0) : (evidence.status ?? 0);
  const said = [...new Set(reading.messages)].join(' \n ').slice(0, MAX_WORDS);
  const text = reading.params.some(isOutputName) ? `max_tokens: ${said}` : said;
  const codes = codesOf(reading, evidence, text);
  return {
    where: evidence.where,
    provider: evidence.provider,
    status,
    claimsOk,
    codes,
    text,
    words: text.toLowerCase(),
    said: saidIn(reading.messages).slice(0, MAX_WORDS),
    param: reading.params[0] ?? '',
    relayed: /provider returned error|error from provider/i.test(text),
    json: body !== '' && parseJson(body) !== undefined,
    estimate: evidence.estimate,
    fill: evidence.estimate === undefined || evidence.window <= 0 ? undefined : evidence.estimate / evidence.window,
    numbers: readStatedTokens(text, reading.counts, [...reading.codes, ...reading.statuses.map(String)]),
  };
}

/** Some name the parameter in a field of its own and say only what it should be. */
const isOutputName = (param: string): boolean => /^max_?\w*tokens$/i.test(param);

function readAll(body: string, evidence: Evidence): BodyReading {
  const reading: BodyReading = { messages: [], codes: [], statuses: [], params: [], counts: new Map() };
  const parsed = parseJson(body);
  if (parsed === undefined) addMessage(stripMarkup(body), reading, 0);
  else if (typeof parsed === 'string') addMessage(parsed, reading, 0);
  else read(parsed, reading, 0);
  if (evidence.error?.message !== undefined) reading.messages.push(evidence.error.message);
  return reading;
}

/** Bodies nest: an error in an error, JSON inside a message, an aggregator's raw answer of the host behind it. */
function read(value: unknown, reading: BodyReading, depth: number): void {
  if (depth > 6) return;
  if (Array.isArray(value)) return value.forEach((item) => read(item, reading, depth + 1));
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const key = name.toLowerCase();
    if (typeof member === 'number') reading.counts.set(key, member);
    if (CODES.has(key)) addCode(member, reading);
    if (PARAMS.has(key) && typeof member === 'string') reading.params.push(member);
    if (key === 'loc' && Array.isArray(member)) reading.params.push(String(member.at(-1)));
    if (MESSAGES.has(key) && typeof member === 'string') addMessage(member, reading, depth);
    if (INSIDE.has(key)) read(member, reading, depth + 1);
  }
  if (Array.isArray(value['detail'])) reading.codes.push('fieldviolation');
}

function addMessage(text: string, reading: BodyReading, depth: number): void {
  const start = text.search(/[{[]\s*["{]/);
  const inner = start < 0 ? undefined : parseJson(text.slice(start, Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1));
  if (start !== 0 || inner === undefined) reading.messages.push(text.trim());
  if (inner !== undefined) read(inner, reading, depth + 1);
}

/** Small numbers are HTTP statuses in disguise; zero means success. */
function addCode(value: unknown, reading: BodyReading): void {
  const number = typeof value === 'number' ? value : typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : undefined;
  if (number !== undefined && number >= 100 && number < 600) reading.statuses.push(number);
  else if ((typeof value === 'string' || typeof value === 'number') && value !== 0 && value !== '') reading.codes.push(String(value));
}

function codesOf(reading: BodyReading, { headers = {}, event, error }: Evidence, words: string): readonly string[] {
  // MiniMax and Z.AI write their number into the sentence.
  const inText = [...words.matchAll(/\((\d{4})\)\s*(?:$|\n)|^\[(\d{4})\]/gm)].map((match) => match[1] ?? match[2]);
  const all = [headers['x-amzn-errortype']?.split(':')[0], ...reading.codes, ...inText, event, error?.code];
  const plain = all.flatMap((code) => (code === undefined ? [] : [code.toLowerCase().replace(/[^a-z0-9]/g, '')]));
  return [...new Set(plain)].filter((code) => code !== '');
}

/** The longest sentence tells most: wrappers are short ("Provider returned error"). */
const saidIn = (messages: readonly string[]): string =>
  messages.reduce((best, message) => (message.length > best.length ? message : best), '');

/** The words of a page, without its markup. */
export function stripMarkup(page: string): string {
  const body = page.slice(0, MAX_PAGE);
  const text = /<[a-z!][^>]*>/i.test(body) ? body.replace(/<(style|script)[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ') : body;
  return text.replace(/\s+/g, ' ').trim().slice(0, 4000);
}
