import type { JsonObject } from '../../../../base/json-types.ts';
import type { ApiContext, ApiRequest, ApiRoute } from '../http/contract.ts';
import { PLAIN_MODEL } from '../request/parameters.ts';
import { createNotFound, toJsonAnswer } from '../http/errors.ts';

export const MODEL_ROUTES: readonly ApiRoute[] = [
  { method: 'GET', path: '/v1/models', about: 'the agent, and a model for completions without it', handle: listModels },
  { method: 'GET', path: '/v1/models/{id}', about: 'one of them by its name', handle: readModel },
];

const describeModel = (id: string, { startedAt }: ApiContext): JsonObject => ({
  id,
  object: 'model',
  created: Math.floor(startedAt / 1_000),
  owned_by: 'hermes',
});

const listNames = ({ modelName }: ApiContext): readonly string[] => [modelName, PLAIN_MODEL];

async function listModels(_request: ApiRequest, context: ApiContext) {
  return toJsonAnswer(200, { object: 'list', data: listNames(context).map((id) => describeModel(id, context)) });
}

async function readModel({ params }: ApiRequest, context: ApiContext) {
  const id = params['id'] ?? '';
  if (!listNames(context).includes(id)) throw createNotFound('model', id);
  return toJsonAnswer(200, describeModel(id, context));
}
