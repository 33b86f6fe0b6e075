import { parseJson } from '../../../../base/json.ts';
import type { JsonObject } from '../../../../base/json-types.ts';
import { findSchemaFault } from './json-schema.ts';

/** The form that an answer must have: JSON that fits a schema, which is empty where any object will do. */
export type AnswerFormat = { readonly name: string; readonly schema: JsonObject };

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
