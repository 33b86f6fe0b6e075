import { isObject, parseJson } from '../../../base/json.ts';
import { readTextFile } from '../../../base/text-file.ts';
import { createTextBlock, type Message } from '../../../contracts/message.ts';
import type { PromptLayer } from '../../../contracts/prompt.ts';

const MAX_BYTES = 1_048_576;

/** Exchanges that stand before the first message, to show the model by example how to answer. `path` names a JSON file of them. */
export const prefillLayer = (path: string): PromptLayer => ({
  name: 'prefill',
  order: 30,
  lifetime: 'turn',
  cap: Infinity,
  render: async ({ first }) => (path === '' || !first ? undefined : { before: readExchanges(path) }),
});

function readExchanges(path: string): readonly Message[] {
  const file = readTextFile(path, MAX_BYTES);
  if (!file.ok) throw new Error(`${path} could not be read: ${file.why}`);
  const rows = parseJson(file.text);
  const problem = `${path} must be a JSON array of {"role": "user"|"assistant", "content": "…"}, in turns, from a user's to an assistant's`;
  if (!Array.isArray(rows)) throw new Error(problem);
  return rows.map((row, index) => {
    const role = index % 2 === 0 ? 'user' : 'assistant';
    if (!isObject(row) || row['role'] !== role || typeof row['content'] !== 'string')
      throw new Error(`${problem}; row ${index + 1} is not`);
    if (index === rows.length - 1 && role === 'user') throw new Error(`${problem}; the last row is a user's`);
    return role === 'user'
      ? { role, content: [createTextBlock(row['content'], 'owner')] }
      : { role, content: [createTextBlock(row['content'], 'model')] };
  });
}
