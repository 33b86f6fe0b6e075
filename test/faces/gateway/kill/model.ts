import { isObject } from '../../../../src/base/json.ts';
import type { RecordedRequest, Reply } from '../../../../src/testing/wire-server/index.ts';

/**
 * The model of these proofs. What it is told to do stands in the message, and all ends with `done NONCE`:
 *   do NONCE     runs a command that leaves its mark
 *   ask NONCE    runs one that needs consent
 *   give NONCE   writes a file and sends it
 *   read NONCE   tells how many of the files were read that came with the message
 *   tell NONCE   does nothing
 * `full` after it fills the window, and `slow` lets the words come one by one.
 */
export function answerByNonce({ text, body }: RecordedRequest): Reply {
  // Whoever asks without tools wants a summary.
  if (!isObject(body) || body['tools'] === undefined) return { text: 'A summary of what was said.' };
  const [, verb = '', nonce = '', manner] = [...text.matchAll(ORDERS)].at(-1) ?? [];
  const usage = manner === 'full' ? { usage: { input: 60_000 } } : {};
  const pace = manner === 'slow' ? { paceMs: 80, chunk: 3 } : {};
  const command = COMMANDS[verb]?.(nonce);
  const isCalled = text.includes(`echo ${nonce} >>`) || text.includes(`> ${nonce}.txt`);
  if (command === undefined || isCalled) return { text: `done ${nonce}${ENDINGS[verb]?.(nonce, text) ?? ''}`, ...usage, ...pace };
  return { calls: [{ name: 'terminal', arguments: { command } }], ...usage };
}

const ORDERS = /\b(do|ask|give|read|tell) (n\d+x\d+x\d+)(?: (full|slow))?/g;
const COMMANDS: Readonly<Record<string, (nonce: string) => string>> = {
  do: (nonce) => `echo ${nonce} >> effects.txt`,
  ask: (nonce) => `touch x && chmod 777 x && echo ${nonce} >> effects.txt`,
  give: (nonce) => `echo a file > ${nonce}.txt && echo "path=$PWD/${nonce}.txt"`,
};
const ENDINGS: Readonly<Record<string, (nonce: string, text: string) => string>> = {
  give: (nonce, text) => {
    const path = new RegExp(`path=(/[^\\s"\\\\]+${nonce}\\.txt)`).exec(text)?.[1];
    return path === undefined ? '' : `\nMEDIA:${path}`;
  },
  read: (nonce, text) => ` with ${new Set(text.match(new RegExp(`notes ${nonce}-\\d+`, 'g'))).size} files`,
};
