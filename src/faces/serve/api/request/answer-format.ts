import { isObject, parseJson, readStringAt } from '../../../../base/json.ts';
import type { Json, JsonObject } from '../../../../base/json-types.ts';
import { createBadRequest } from '../http/errors.ts';
import { findSchemaFault, findUnknownKeyword } from './json-schema.ts';

/** The form that an answer must have: JSON that fits a schema, which is empty where any object will do. */
export type AnswerFormat = { readonly name: string; readonly schema: JsonObject };

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

/** What the model is told beside the message. */
export const describeFormat = ({ schema }: AnswerFormat): string =>
  `Answer with one JSON value and nothing else: no words around it, no code fence. It must fit this JSON Schema:\n${JSON.stringify(schema)}`;

/** What the model is told when its answer does not fit. */
export const describeFault = (format: AnswerFormat, fault: string): string =>
  `Your answer does not fit: ${fault}. ${describeFormat(format)}`;

/** The JSON of an answer, without a fence around it; or what is wrong with it. */
export function checkAnswer(answer: string, { schema }: AnswerFormat): { readonly json: string } | { readonly fault: string } {
  const json = (/^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(answer)?.[1] ?? answer).trim();
  const value = parseJson(json);
  if (value === undefined) return { fault: 'it is not JSON' };
  const fault = findSchemaFault(schema, value);
  return fault === undefined ? { json } : { fault };
}
