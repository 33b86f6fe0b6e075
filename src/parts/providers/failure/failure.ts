import type { Failure } from '../../../contracts/failure.ts';
import { PROVIDER_CODES, type RemoteType } from './codes.ts';
import type { Evidence } from './evidence.ts';
import { type FailureFacts, collectFailureFacts } from './facts.ts';
import { findOutputRoom } from './numbers.ts';
import { findRefusedParameter } from './parameter.ts';
import { retryAfterMs } from './retry-after.ts';
import { type FailureRule, RULES } from './rules.ts';
import { MIN_WINDOW, isOverTokenRate, saysTooLong } from './sizes.ts';
import { toTransportFailure } from './transport.ts';
import { formatFailureDetail } from './mask.ts';
import { SHORT_FIELD } from './words.ts';

export type { Evidence };

/** Says why a call gave no answer. Pure: status and structured codes first, words last. */
export function classify(evidence: Evidence): Failure {
  if (evidence.where === 'transport') return toTransportFailure(evidence);
  const facts = collectFailureFacts(evidence);
  const coded = providerCode(facts);
  if (coded !== undefined) return detailed(coded, evidence, facts);
  const rule = RULES.find((row) => holds(row, facts));
  const failure = detailed(rule?.type ?? otherwise(facts), evidence, facts);
  // What may have been meant is good for one try, not for a window to be remembered.
  return rule?.doubtful === true && failure.type === 'context_overflow' && 'limit' in failure ? { ...failure, inferred: true } : failure;
}

/** A prompt that is said to be too long is none the shorter for a code that also stands for throttling. */
function providerCode(facts: FailureFacts): RemoteType | undefined {
  const table = PROVIDER_CODES.find(([name]) => name.test(facts.provider))?.[1];
  const known = facts.codes.map((code) => table?.[code]).find((type) => type !== undefined);
  return known === 'rate_limited' && saysTooLong(facts) ? undefined : known;
}

function holds(rule: FailureRule, facts: FailureFacts): boolean {
  if (rule.status !== undefined && !rule.status.includes(facts.status)) return false;
  if (rule.unless?.test(facts.words) === true || rule.when?.(facts) === false) return false;
  if (rule.codes === undefined && rule.words === undefined) return true;
  return facts.codes.some((code) => rule.codes?.test(code) === true) || rule.words?.test(facts.words) === true;
}

/** No rule knew it: by the class of the status, and a success that says nothing is the server's fault. */
function otherwise({ status, where, json, words, codes, fill }: FailureFacts): RemoteType {
  if (status >= 500) return 'server_error';
  // By our own count it cannot have fitted: whatever the words are, that is the likeliest reason.
  if ([400, 413, 422].includes(status) && fill !== undefined && fill >= 1 && !SHORT_FIELD.test(words)) return 'context_overflow';
  if (status >= 400) return 'bad_request';
  if (where === 'frame') return codes.some((code) => /^(invalidrequest|validation|badrequest)/.test(code)) ? 'bad_request' : 'server_error';
  return json || words === '' ? 'server_error' : 'malformed';
}

function detailed(type: RemoteType, evidence: Evidence, facts: FailureFacts): Failure {
  const status = evidence.status === undefined || evidence.status === 200 ? {} : { status: evidence.status };
  const base = { detail: detailOf(evidence, facts), ...status };
  if (type === 'timeout') return { type, stage: 'gateway', ...base };
  if (type === 'context_overflow') return { type, ...base, ...limitOf(facts) };
  if (type === 'output_cap') return { type, ...base, ...availableOf(facts) };
  if (type === 'parameter_refused') return { type, ...base, ...parameterOf(facts) };
  if (type === 'rate_limited' || type === 'upstream_limited' || type === 'overloaded' || type === 'server_error') {
    return { type, ...base, ...waitOf(evidence, facts) };
  }
  return { type, ...base };
}

/** Anthropic's long-context tier begins where the standard window ends. */
const STANDARD_WINDOW = 200_000;
function limitOf(facts: FailureFacts): { readonly limit?: number; readonly inferred?: true } {
  const { numbers, words } = facts;
  if (numbers.limit !== undefined && numbers.limit >= MIN_WINDOW)
    return { limit: numbers.limit, ...(isOverTokenRate(facts) && { inferred: true }) };
  return /extra usage/.test(words) ? { limit: STANDARD_WINDOW, inferred: true } : {};
}
function availableOf({ numbers, estimate, words }: FailureFacts): { readonly available?: number; readonly limit?: number } {
  const available = findOutputRoom(numbers, estimate, words);
  if (available === undefined) return {};
  return { available, ...(numbers.cap === undefined && numbers.limit !== undefined && { limit: numbers.limit }) };
}
function parameterOf(facts: FailureFacts): { readonly parameter?: string } {
  const parameter = findRefusedParameter(facts);
  return parameter === undefined ? {} : { parameter };
}
function waitOf(evidence: Evidence, { words }: FailureFacts): { readonly retryAfterMs?: number } {
  const wait = retryAfterMs(evidence, words);
  return wait === undefined ? {} : { retryAfterMs: wait };
}

function detailOf({ status }: Evidence, facts: FailureFacts): string {
  const shown = status ?? (facts.status === 0 ? undefined : facts.status);
  return formatFailureDetail(`${shown === undefined ? '' : `${shown}: `}${facts.said === '' ? 'no further words' : facts.said}`);
}
