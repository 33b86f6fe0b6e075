import { readStringAt } from '../../../../base/json.ts';
import type { JsonObject } from '../../../../base/json-types.ts';
import type { ApiContext } from '../http/contract.ts';
import { createBadRequest } from '../http/errors.ts';
import { describeFormat } from '../runs/answer-format.ts';
import type { AskedRun } from './begin-run.ts';
import { readToolRequest } from './client-tools.ts';
import { readAnswerFormat } from './read-format.ts';
import { checkParameters, isPlain, PLAIN_MODEL, readFormatField, readSampling, type ParameterApi } from './parameters.ts';

/** What both of OpenAI's formats say of an answer besides the conversation. */
export function readOptions(
  body: JsonObject,
  api: ParameterApi,
  context: ApiContext,
): Required<Pick<AskedRun, 'request' | 'isPlain'>> & Pick<AskedRun, 'beside' | 'sampling'> {
  checkParameters(body, api);
  const { format: field, param } = readFormatField(body, api);
  const [format, sampling, stop] = [readAnswerFormat(field, param), readSampling(body), readStop(body)];
  return {
    isPlain: isPlain(body),
    request: {
      ...(isPlain(body) && { model: PLAIN_MODEL }),
      ...readToolRequest(body, context),
      ...(format !== undefined && { format }),
      ...(stop.length > 0 && { stop }),
      ...(Object.keys(sampling).length > 0 && { sampling }),
      tool_items: readToolItems(body, context),
    },
    ...(Object.keys(sampling).length > 0 && { sampling }),
    ...(format !== undefined && { beside: describeFormat(format) }),
  };
}

const readStop = ({ stop }: JsonObject): readonly string[] =>
  (Array.isArray(stop) ? stop : [stop]).flatMap((each) => (typeof each === 'string' && each !== '' ? [each] : []));

const TOOL_ITEMS = ['mcp_call', 'function_call'] as const;
const TOOL_ITEMS_FIELD = 'hermes_tool_items';

/** As what the agent's own tools are shown in a response: the request's word, else the setting. */
function readToolItems({ metadata }: JsonObject, { toolItems = 'mcp_call' }: ApiContext): string {
  const asked = readStringAt(metadata, TOOL_ITEMS_FIELD) ?? toolItems;
  if (!TOOL_ITEMS.some((form) => form === asked))
    throw createBadRequest('invalid_value', `"metadata.${TOOL_ITEMS_FIELD}" must be ${TOOL_ITEMS.join(' or ')}.`, 'metadata');
  return asked;
}
