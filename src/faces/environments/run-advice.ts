import { adviseOnFailure } from '../../agent/words.ts';
import type { Failure } from '../../contracts/failure.ts';
import type { Outcome } from '../../contracts/outcome.ts';

/** A run takes its model from other settings than a session, so advice that names those of a session leads nowhere. */
const ADVICE: Partial<Record<Failure['type'], string>> = {
  unauthorized: 'Check the API key: openai.api_key_env names the variable that holds it.',
  billing: 'The account has no credit left. Add credit, or use another server (openai.base_url).',
  rate_limited: 'The provider is limiting your requests. Wait, or make fewer attempts at a time (env.max_num_workers).',
  upstream_limited: 'The host behind this provider is limiting requests. Choose another model (openai.model_name).',
  overloaded: 'The provider is at capacity. Try again later, or make fewer attempts at a time (env.max_num_workers).',
  server_error: 'The provider had an internal error. Give the same command again.',
  network: 'Check the network and the address of the server (openai.base_url).',
  context_overflow: 'The conversation is too long for the model.',
  payload_too_large: 'The request is larger than the host accepts.',
  model_not_found: 'Check the name of the model (openai.model_name; model.default of your settings where that is not set).',
  endpoint_not_found: 'Nothing at this address accepts such requests. Check openai.base_url (often it must end in /v1).',
  bad_request: 'The provider rejected the request. Check openai.model_name and env.extra_body.',
  malformed: 'The server sent an answer in another format. Check openai.base_url and openai.server_type.',
};
const NO_SERVER =
  'No server is running at this address on this machine. Start it, or correct the address (openai.base_url; model.base_url of your settings where that is not set).';

/** What a failed turn says, with advice for whoever started the run. */
export function describeFailedTurn({ text, failure }: Extract<Outcome, { readonly type: 'failed' }>): string {
  const usual = failure && adviseOnFailure(failure);
  if (failure === undefined || usual === undefined || !text.endsWith(usual)) return text;
  const advice = failure.type === 'network' && failure.absent === true ? NO_SERVER : (ADVICE[failure.type] ?? usual);
  return text.slice(0, -usual.length) + advice;
}
