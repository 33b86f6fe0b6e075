import type { JsonObject } from '../../../../base/json-types.ts';
import type { ApiContext, ApiRequest, ApiRoute } from '../http/contract.ts';
import { createNotFound, toJsonAnswer } from '../http/errors.ts';

export const MODEL_ROUTES: readonly ApiRoute[] = [
  { method: 'GET', path: '/v1/models', about: 'the agent, as the one model there is', handle: listModels },
  { method: 'GET', path: '/v1/models/{id}', about: 'the same by its name', handle: readModel },
];

const describeModel = ({ modelName, startedAt }: ApiContext): JsonObject => ({
  id: modelName,
  object: 'model',
  created: Math.floor(startedAt / 1_000),
  owned_by: 'hermes',
});

async function listModels(_request: ApiRequest, context: ApiContext) {
  return toJsonAnswer(200, { object: 'list', data: [describeModel(context)] });
}

async function readModel({ params }: ApiRequest, context: ApiContext) {
  if (params['id'] !== context.modelName) throw createNotFound('model', params['id'] ?? '');
  return toJsonAnswer(200, describeModel(context));
}
