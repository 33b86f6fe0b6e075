import type { ProviderFault } from './faults.ts';

export interface OpenAiError {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

export interface OpenAiProblem {
  readonly status: number;
  readonly error: OpenAiError;
}

/** The two OpenAI wires differ only in the field that holds the prompt and in how they say that it is too long. */
export interface PromptField {
  readonly param: 'messages' | 'input';
  tooLong(tokens: number, limit: number): string;
}

export function toOpenAiProblem(problem: ProviderFault, prompt: PromptField): OpenAiProblem {
  if (problem.type === 'status') return unnamed(problem.status, problem.message);
  if (problem.type === 'rate_limited') return rateLimited(problem.retryAfterSeconds);
  if (problem.type === 'overflow') return tooLong(prompt.tooLong(problem.tokens, problem.limit), prompt.param);
  return fixed[problem.type];
}

const INVALID = 'invalid_request_error';

const fixed: Readonly<Record<Exclude<ProviderFault['type'], 'status' | 'rate_limited' | 'overflow'>, OpenAiProblem>> = {
  // OpenAI itself says this with 429; the gateways that speak its wire say 402.
  billing: refused(402, 'insufficient_quota', 'You exceeded your current quota, please check your plan and billing details.', {
    code: 'insufficient_quota',
  }),
  unauthorized: refused(401, INVALID, 'Incorrect API key provided.', { code: 'invalid_api_key' }),
  payload_too_large: refused(413, INVALID, 'Request body is too large.'),
  server_error: refused(500, 'server_error', 'The server had an error while processing your request.'),
  overloaded: refused(503, 'service_unavailable_error', 'Our servers are currently overloaded. Please try again later.', {
    code: 'server_is_overloaded',
  }),
  stream_unsupported: refused(400, INVALID, 'stream not supported by this model', { param: 'stream', code: 'unsupported_value' }),
};

function rateLimited(seconds: number | undefined): OpenAiProblem {
  const hint = seconds === undefined ? '' : ` Please try again in ${seconds}s.`;
  return refused(429, 'requests', `Rate limit reached for requests.${hint}`, { code: 'rate_limit_exceeded' });
}

function tooLong(message: string, param: string): OpenAiProblem {
  return refused(400, INVALID, message, { param, code: 'context_length_exceeded' });
}

function unnamed(status: number, message = `Status ${status}.`): OpenAiProblem {
  return refused(status, status < 500 ? INVALID : 'server_error', message);
}

function refused(status: number, type: string, message: string, more: Partial<OpenAiError> = {}): OpenAiProblem {
  return { status, error: { message, type, param: null, code: null, ...more } };
}
