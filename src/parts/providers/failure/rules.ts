import { CODES, type RemoteType } from './codes.ts';
import type { FailureFacts } from './facts.ts';
import { isOverOutputRoom, isOverStatedLimit, isOverTokenRate, mayMeanTooLong, saysTooLong, saysTooMuchOutput } from './sizes.ts';
import {
  ALLOWANCE,
  AUTH,
  BILLING,
  CONTENT,
  ENDPOINT,
  HOLLOW,
  IMAGE,
  MODEL,
  OVERLOAD,
  PARAMETER,
  PAYLOAD,
  POLICY,
  QUOTA,
  SCHEMA,
  SIGNATURE,
  STREAMING,
  THROTTLE,
  TIMEOUT,
  TOOL_CONTENT,
  TRANSCRIPT,
  TRANSIENT,
} from './words.ts';

/** A row holds when its status fits, one of its codes or words fits, and nothing speaks against it. The first row that holds wins. */
export interface FailureRule {
  readonly type: RemoteType;
  readonly status?: readonly number[];
  readonly codes?: RegExp;
  readonly words?: RegExp;
  readonly unless?: RegExp;
  readonly when?: (facts: FailureFacts) => boolean;
  /** It may also have been something else. */
  readonly doubtful?: true;
}

/** A parameter of its own, not a place inside the conversation. */
const PLAIN_PARAMETER = /^(?!messages|input|tools|model|prompt)[a-z_]+$/;
const SERVER = [424, 500, 501, 502, 505, 506, 507, 508, 520, 521, 523, 525, 526, 527, 530];
/** Google names the bucket that is empty. */
const FREE_DAY = /perday.*freetier/;
/** A wait that a turn can sit out. */
const PER_SHORT_TIME = /rate limit (exceeded|reached)|per (min|minute|second|hour)\b|try again in \d|retry in \d|\b[tr]pm\b/;
const large = ({ fill }: FailureFacts): boolean => fill === undefined || fill >= 0.5;

export const RULES: readonly FailureRule[] = [
  // Sentences that name one cause, whatever the status.
  { type: 'context_overflow', words: /extra usage.{0,60}long context|long context.{0,60}extra usage/ },
  { type: 'upstream_limited', when: ({ relayed, status }) => relayed && (status === 429 || status === 402) },
  {
    type: 'upstream_limited',
    words: /rate.?limited upstream|provider rate limit exceeded|upstream.{0,40}(rate.?limit|429|too many requests|quota)/,
  },
  { type: 'streaming_refused', words: STREAMING, unless: /stream_options/ },
  { type: 'streaming_refused', codes: CODES.parameter, when: ({ param }) => param === 'stream' },
  // The model called a tool in a form that its server could not read. What it wrote is not in the answer.
  { type: 'written_call', codes: /^toolusefailed$/ },
  { type: 'bad_signature', codes: CODES.signature, words: SIGNATURE },
  { type: 'tool_content_refused', status: [400, 415, 422, 0, 500], words: TOOL_CONTENT },
  {
    type: 'image_refused',
    status: [400, 404, 413, 415, 422, 0, 500],
    codes: CODES.image,
    words: IMAGE,
    unless: /rate.?limit|tokens of image|too many requests/,
  },
  { type: 'schema_refused', status: [400, 422, 0, 500], codes: CODES.schema, words: SCHEMA, unless: /response_format/ },
  // A limit per minute that one request is above is a window.
  { type: 'context_overflow', when: isOverTokenRate },
  // Throttling stands before overflow: "too many tokens, please wait" is no long prompt.
  { type: 'billing', status: [429], codes: CODES.billing },
  { type: 'overloaded', status: [429], codes: CODES.overloaded },
  { type: 'billing', codes: FREE_DAY, words: ALLOWANCE, unless: PER_SHORT_TIME, when: ({ status }) => status < 500 },
  { type: 'billing', status: [429], words: BILLING, unless: TRANSIENT },
  {
    type: 'billing',
    status: [429],
    words: QUOTA,
    unless: TRANSIENT,
    when: ({ codes }) => !codes.some((code) => CODES.throttled.test(code)),
  },
  { type: 'overloaded', status: [429], words: OVERLOAD, unless: /rate.?limit|usage limit|too many (requests|concurrent)/ },
  { type: 'context_overflow', status: [429], when: saysTooLong, unless: TRANSIENT },
  { type: 'rate_limited', status: [429] },
  // Sizes, by figures. Neither a throttle nor money states a window; whose balance pays for less says 402.
  { type: 'output_cap', when: (facts) => facts.status < 500 && facts.status !== 402 && isOverOutputRoom(facts) },
  { type: 'context_overflow', when: isOverStatedLimit },
  { type: 'rate_limited', codes: CODES.throttled, when: ({ status }) => ![402, 404, 503].includes(status) },
  { type: 'context_overflow', when: saysTooLong },
  { type: 'rate_limited', words: THROTTLE, when: ({ status }) => status < 500 && status !== 401 && status !== 402 },
  // Money.
  { type: 'rate_limited', status: [402], words: /(usage|rate|request) limit|quota/, when: ({ words }) => TRANSIENT.test(words) },
  { type: 'billing', status: [402] },
  { type: 'billing', codes: CODES.billing },
  { type: 'billing', words: BILLING, when: ({ status }) => status < 500 },
  { type: 'billing', status: [400, 403, 0], words: QUOTA, unless: TRANSIENT },
  // What was said, and whether it may be.
  { type: 'content_blocked', codes: CODES.content },
  { type: 'policy_blocked', words: POLICY },
  { type: 'content_blocked', words: CONTENT, when: ({ status, json }) => status < 500 && json },
  // Sizes, by name.
  { type: 'context_overflow', codes: CODES.overflow },
  { type: 'payload_too_large', codes: CODES.payload },
  { type: 'output_cap', when: saysTooMuchOutput },
  // "Context" and "token" are also words of proxies (a security token, an nginx context): without figures they count only when we sent much.
  { type: 'context_overflow', status: [413], words: /tokens?\b|context/, when: large },
  { type: 'context_overflow', status: [413], when: ({ words, fill }) => words === '' && fill !== undefined && fill >= 0.9 },
  { type: 'payload_too_large', status: [413] },
  { type: 'payload_too_large', words: PAYLOAD, unless: /tokens|context|header or cookie/ },
  // A server that subtracts a too long prompt from its window asks for a negative answer.
  { type: 'context_overflow', words: /max_\w*tokens\W{0,2} must be at least 1, got -/ },
  // Structured names of the rest.
  { type: 'forbidden', status: [403], codes: CODES.model },
  { type: 'model_not_found', codes: CODES.model },
  { type: 'timeout', codes: CODES.timeout },
  { type: 'parameter_refused', codes: CODES.parameter },
  { type: 'overloaded', codes: CODES.overloaded },
  // Who is asking.
  { type: 'forbidden', codes: /(model|team|key|user)accessdenied$/ },
  { type: 'unauthorized', status: [401] },
  { type: 'unauthorized', status: [403], words: AUTH, unless: /not authorized|permission|not allowed|not licensed|blocked/ },
  { type: 'unauthorized', codes: CODES.auth },
  { type: 'forbidden', status: [403, 407, 451] },
  { type: 'forbidden', codes: CODES.forbidden, when: ({ status }) => status < 500 },
  {
    type: 'forbidden',
    words:
      /location is not supported|country|region.{0,20}not (supported|available)|not available in your|(organization|account|user|project) (has been |is )(disabled|banned|blocked|terminated)|accept.{0,20}terms|terms acceptance/,
    when: ({ status }) => status < 500,
  },
  // Where it went.
  { type: 'model_not_found', status: [404, 410], words: MODEL },
  { type: 'model_not_found', status: [404], when: ({ param }) => param === 'model' },
  { type: 'endpoint_not_found', words: ENDPOINT, when: ({ claimsOk }) => claimsOk },
  { type: 'endpoint_not_found', status: [404, 405, 410] },
  // Time and load.
  { type: 'timeout', status: [408, 504, 522, 524, 598, 599] },
  {
    type: 'model_not_found',
    status: [400, 422, 503, 0],
    words: MODEL,
    unless: /does not support|overload|temporarily|context|at capacity/,
  },
  { type: 'overloaded', status: [529] },
  {
    type: 'context_overflow',
    status: [500, 502, 503],
    when: (facts) => large(facts) && mayMeanTooLong(facts),
    unless: /unavailable/,
    doubtful: true,
  },
  { type: 'overloaded', status: [503] },
  { type: 'overloaded', status: [0, 500, 502], words: OVERLOAD },
  { type: 'timeout', status: [0, 500, 502], words: TIMEOUT, when: ({ where }) => where === 'frame' },
  { type: 'parameter_refused', status: [500], words: /(unsupported|unknown|unrecogni[sz]ed) (request )?(param|argument)|param requires/ },
  { type: 'server_error', status: SERVER },
  { type: 'server_error', codes: CODES.server, when: ({ status }) => status === 0 },
  // What is wrong with the request.
  { type: 'bad_request', words: TRANSCRIPT },
  {
    type: 'tool_content_refused',
    words: /valid string|must be a string|expected (a )?string(?! with)|str type expected/,
    when: ({ param }) => param.endsWith('content'),
  },
  { type: 'parameter_refused', words: PARAMETER, unless: /context window|model_not/ },
  {
    type: 'parameter_refused',
    words: /not (supported|allowed|permitted)|unsupported|deprecated/,
    when: ({ param }) => PLAIN_PARAMETER.test(param),
  },
  { type: 'unauthorized', status: [400, 0], words: AUTH },
  // In doubt the turn goes on: one try with less costs little, a failed turn all that was done in it.
  { type: 'context_overflow', status: [400, 413, 422, 0], when: mayMeanTooLong, doubtful: true },
  {
    type: 'context_overflow',
    status: [400],
    when: ({ words, fill }) => HOLLOW.test(words.replace('provider returned error', '')) && fill !== undefined && fill >= 0.9,
  },
  { type: 'timeout', status: [0], words: TIMEOUT },
];
