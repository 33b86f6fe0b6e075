import { findBearer } from '../../../base/http-server/bearer.ts';
import type { HttpAnswer, HttpRefusal, HttpRequest, HttpRequestHead, HttpRoute } from '../../../base/http-server/contract.ts';
import type { ApiContext, ApiKey } from './http/contract.ts';
import { ApiError, toErrorAnswer } from './http/errors.ts';
import { findUnserved } from './request/parameters.ts';
import { findRoute, type FoundRoute } from './route-table.ts';

const MAX_BODY = 10_000_000;
const EXPOSED = ['x-hermes-session-id', 'x-hermes-run-id', 'idempotency-replayed', 'retry-after'];

/** The API as one route of an HTTP server. */
export const createApiRoute = (context: ApiContext): HttpRoute => ({
  path: '/',
  maxBytes: MAX_BODY,
  answerMs: Infinity,
  origins: context.origins,
  names: context.names,
  exposed: EXPOSED,
  check: (head) => toAnswer(() => void admit(head, context)),
  refuse: ({ status, reason }) => toErrorAnswer(new ApiError(status, ...REFUSALS[reason])),
  answer: (request) => answer(request, context),
});

const REFUSALS: Readonly<Record<HttpRefusal['reason'], readonly [string, string]>> = {
  foreign_name: [
    'foreign_name',
    'The server does not answer to the name in the Host header. If that is meant to be its name, as host.docker.internal or a name behind a proxy is, add it to gateway.listen_names (hermes config set gateway.listen_names NAME) and start the server again.',
  ],
  bad_request: ['bad_request', 'The request could not be read.'],
  foreign_origin: ['foreign_origin', 'Pages of this origin may not call this server.'],
  too_large: ['body_too_large', 'The body is larger than 10 MB.'],
  failed: ['server_error', 'The server could not answer. Its log says why.'],
  late: ['server_error', 'The server did not answer in time.'],
  closing: ['shutting_down', 'The server is about to end. Try again in a moment.'],
};

/** Who asks, and for what; before anything of the body is read. */
function admit(head: HttpRequestHead, { keys }: ApiContext): FoundRoute & { readonly key: ApiKey | undefined } {
  const found = findRoute(head.method, head.path);
  const name = findBearer(head.headers['authorization'], keys);
  const key = keys.find((each) => each.name === name);
  const isOpen = 'route' in found && found.route.isOpen === true;
  // What is served here is nobody's business without a key.
  if (key === undefined && !isOpen)
    throw new ApiError(401, 'invalid_api_key', 'The API key is missing or wrong. Send it as "Authorization: Bearer KEY".', {
      headers: { 'www-authenticate': 'Bearer' },
    });
  if ('route' in found) return { ...found, key };
  if (found.methods.length === 0) throw findUnserved(head.path) ?? new ApiError(404, 'not_found', 'There is nothing at this path.');
  throw new ApiError(405, 'method_not_allowed', 'This method is not allowed here.', { headers: { allow: found.methods.join(', ') } });
}

const ANYONE: ApiKey = { name: '', key: '', isMain: false, mayApprove: false, hasMemory: false };

async function answer(request: HttpRequest, context: ApiContext): Promise<HttpAnswer> {
  try {
    const { route, params, key = ANYONE } = admit(request, context);
    return await route.handle({ ...request, params, key }, context);
  } catch (error) {
    if (error instanceof ApiError) return toErrorAnswer(error);
    throw error;
  }
}

function toAnswer(check: () => void): HttpAnswer | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return toErrorAnswer(error);
    throw error;
  }
}
