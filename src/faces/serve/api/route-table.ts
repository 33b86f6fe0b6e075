import type { JsonObject } from '../../../base/json-types.ts';
import type { ApiContext, ApiRequest, ApiRoute } from './http/contract.ts';
import { toJsonAnswer } from './http/errors.ts';
import { CHAT_ROUTES } from './routes/chat.ts';
import { HEALTH_ROUTES } from './routes/health.ts';
import { JOB_ROUTES } from './routes/jobs.ts';
import { MODEL_ROUTES } from './routes/models.ts';
import { RESPONSE_ROUTES } from './routes/responses.ts';
import { RUN_ROUTES } from './routes/runs.ts';
import { SESSION_ROUTES } from './routes/sessions.ts';

/** Every route there is: how it is asked for, who may, and who answers. */
export const ROUTES: readonly ApiRoute[] = [
  ...HEALTH_ROUTES,
  ...MODEL_ROUTES,
  { method: 'GET', path: '/v1/capabilities', about: 'what is served here', handle: tellCapabilities },
  ...CHAT_ROUTES,
  ...RESPONSE_ROUTES,
  ...RUN_ROUTES,
  ...SESSION_ROUTES,
  ...JOB_ROUTES,
];

async function tellCapabilities({ key }: ApiRequest, { modelName, version, maxRuns }: ApiContext) {
  const endpoints: JsonObject[] = ROUTES.map(({ method, path, about }) => ({ method, path, about }));
  const features = {
    streaming: true,
    tool_progress: 'hermes.tool.progress',
    durable_runs: true,
    idempotency_key: true,
    resume_streams: ['Last-Event-ID', 'after', 'starting_after'],
    approvals: key.mayApprove,
    images: true,
    files: false,
    client_tools: true,
    structured_outputs: true,
  };
  return toJsonAnswer(200, {
    object: 'hermes.api_server.capabilities',
    model: modelName,
    version,
    max_concurrent_runs: maxRuns,
    features,
    endpoints,
  });
}

export interface FoundRoute {
  readonly route: ApiRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** The route of a path, or the methods that it has. */
export function findRoute(method: string, path: string): FoundRoute | { readonly methods: readonly string[] } {
  const matches = ROUTES.flatMap((route) => {
    const params = matchPath(route.path, path);
    return params === undefined ? [] : [{ route, params }];
  });
  return matches.find(({ route }) => route.method === method) ?? { methods: matches.map(({ route }) => route.method) };
}

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (!part.startsWith('{')) {
      if (part !== value) return undefined;
    } else if (value === '') return undefined;
    else params[part.slice(1, -1)] = value;
  }
  return params;
}
