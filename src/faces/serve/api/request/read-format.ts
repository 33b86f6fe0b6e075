import { isObject, readStringAt } from '../../../../base/json.ts';
import type { Json, JsonObject } from '../../../../base/json-types.ts';
import { createBadRequest } from '../http/errors.ts';
import type { AnswerFormat } from '../runs/answer-format.ts';
import { findUnknownKeyword } from '../runs/json-schema.ts';

const ANY_OBJECT: JsonObject = { type: 'object' };

/** `{"type": "json_schema", …}` in the words of either API; nothing for plain text. */
export function readAnswerFormat(format: Json | undefined, param: string): AnswerFormat | undefined {
  if (format === undefined || format === null) return undefined;
  const type = readStringAt(format, 'type');
  if (type === 'text') return undefined;
  if (type === 'json_object') return { name: 'object', schema: ANY_OBJECT };
  const described = isObject(format) && isObject(format['json_schema']) ? format['json_schema'] : format;
  if (type !== 'json_schema' || !isObject(described) || !isObject(described['schema']))
    throw createBadRequest('invalid_value', `"${param}" must be text, json_object, or json_schema with a schema.`, param);
  const { schema } = described;
  const unknown = findUnknownKeyword(schema);
  if (unknown !== undefined)
    throw createBadRequest(
      'unsupported_schema',
      `"${param}" uses ${JSON.stringify(unknown)}, which is not checked here. Leave it out.`,
      param,
    );
  return { name: readStringAt(described, 'name') ?? 'answer', schema };
}
