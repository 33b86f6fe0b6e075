import type { ProviderFault } from './faults.ts';

export interface AnthropicError {
  readonly type: string;
  readonly message: string;
}

export interface AnthropicProblem {
  readonly status: number;
  readonly error: AnthropicError;
}

export function toAnthropicProblem(problem: ProviderFault): AnthropicProblem {
  if (problem.type === 'status') return refused(problem.status, problem.message ?? `Status ${problem.status}`);
  if (problem.type === 'overflow') return refused(400, `prompt is too long: ${problem.tokens} tokens > ${problem.limit} maximum`);
  const { status, message } = fixed[problem.type];
  return refused(status, message);
}

const fixed: Readonly<
  Record<Exclude<ProviderFault['type'], 'status' | 'overflow'>, { readonly status: number; readonly message: string }>
> = {
  rate_limited: { status: 429, message: "This request would exceed your organization's rate limit. Please try again later." },
  billing: { status: 402, message: 'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.' },
  unauthorized: { status: 401, message: 'invalid x-api-key' },
  payload_too_large: { status: 413, message: 'Request exceeds the maximum size' },
  server_error: { status: 500, message: 'Internal server error' },
  overloaded: { status: 529, message: 'Overloaded' },
  stream_unsupported: { status: 400, message: 'stream: stream not supported by this model' },
};

/** Anthropic ties the error type to the status. */
const typeOfStatus: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

function refused(status: number, message: string): AnthropicProblem {
  return { status, error: { type: typeOfStatus[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'), message } };
}
