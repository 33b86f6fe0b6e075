import { isObject, parseJson, readStringAt } from '../../../../base/json.ts';
import type { JsonObject } from '../../../../contracts/message.ts';
import type { ScriptFrame } from './frames.ts';

/** A call a script asks for, or why what it sent is none. */
export type ScriptCallRequest =
  | { readonly ok: true; readonly id: number; readonly name: string; readonly input: JsonObject }
  | { readonly ok: false; readonly id: number; readonly why: string };

/** Bytes of one request. */
export const MAX_REQUEST = 1024 * 1024;
/** Requests that may be on their way in pieces at once: one for every thread of a large script. */
const MAX_OPEN = 256;

/** Puts requests together from their frames; `undefined` while one is not whole. Memory stays bounded whatever is sent. */
export function createRequestReader(): (frame: ScriptFrame) => ScriptCallRequest | undefined {
  const open = new Map<number, { readonly pieces: Buffer[]; size: number }>();
  return ({ id, last, bytes }) => {
    const message = open.get(id) ?? { pieces: [], size: 0 };
    message.size += bytes.length;
    if (message.size <= MAX_REQUEST) message.pieces.push(bytes);
    else message.pieces.length = 0;
    open.set(id, message);
    if (open.size > MAX_OPEN) open.delete(open.keys().next().value ?? id);
    if (!last) return undefined;
    open.delete(id);
    if (message.size > MAX_REQUEST) return { ok: false, id, why: `the call is larger than ${MAX_REQUEST} bytes` };
    return readRequest(id, Buffer.concat(message.pieces).toString('utf8'));
  };
}

function readRequest(id: number, text: string): ScriptCallRequest {
  const value = parseJson(text);
  const name = readStringAt(value, 'tool');
  const input = isObject(value) ? value['input'] : undefined;
  return name === undefined || !isObject(input) ? { ok: false, id, why: 'the call could not be read' } : { ok: true, id, name, input };
}
