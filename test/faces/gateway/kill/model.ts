import { isObject } from '../../../../src/base/json.ts';
import type { RecordedRequest, Reply } from '../../../../src/testing/wire-server/index.ts';

/**
 * The model of these proofs. What it is told to do stands in the message: `do NONCE` runs a command that leaves its mark,
 * `ask NONCE` one that needs consent, `tell NONCE` runs none; all end with `done NONCE`. `full` after it fills the window, and
 * `slow` lets the words come one by one.
 */
export function answerByNonce({ text, body }: RecordedRequest): Reply {
  // Whoever asks without tools wants a summary.
  if (!isObject(body) || body['tools'] === undefined) return { text: 'A summary of what was said.' };
  const [, verb, nonce = '', manner] = [...text.matchAll(/\b(do|ask|tell) (n\d+x\d+x\d+)(?: (full|slow))?/g)].at(-1) ?? [];
  const usage = manner === 'full' ? { usage: { input: 60_000 } } : {};
  const pace = manner === 'slow' ? { paceMs: 80, chunk: 3 } : {};
  const isCalled = text.includes(`echo ${nonce} >>`);
  if (nonce === '' || verb === 'tell' || isCalled) return { text: `done ${nonce}`, ...usage, ...pace };
  const mark = `echo ${nonce} >> effects.txt`;
  return { calls: [{ name: 'terminal', arguments: { command: verb === 'ask' ? `touch x && chmod 777 x && ${mark}` : mark } }], ...usage };
}
