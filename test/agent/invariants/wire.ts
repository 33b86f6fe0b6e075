import assert from 'node:assert/strict';
import { readPath, isObject, readStringAt } from '../../../src/base/json.ts';
import type { Json } from '../../../src/contracts/message.ts';
import type { ProtocolId } from '../../../src/contracts/runtime.ts';

/** The cached parts of a request body: tool table and system prompt, then each message, with cache marks set aside. */
export interface Parts {
  readonly head: string;
  readonly messages: readonly string[];
}
export function partsOf(body: string): Parts {
  const unmarked: unknown = JSON.parse(body, (key, member: unknown) => (key === 'cache_control' ? undefined : member));
  const list = readPath(unmarked, 'messages') ?? readPath(unmarked, 'input');
  assert.ok(Array.isArray(list), 'a request has messages');
  const head = ['tools', 'system', 'instructions'].map((key) => readPath(unmarked, key) ?? null);
  return { head: JSON.stringify(head), messages: list.map((message) => JSON.stringify(message)) };
}

/** One message of a transcript, however a wire says it. */
interface Said {
  readonly side: 'user' | 'assistant';
  /** Words of a person or ours, as against results alone. */
  readonly words: boolean;
  readonly calls: readonly string[];
  readonly results: readonly string[];
}

/** Throws unless sides alternate, the user begins and has the last word, and every call has exactly one result right after it. */
export function assertSound(protocol: ProtocolId, body: string): void {
  const list = readPath(JSON.parse(body), protocol === 'openai-responses' ? 'input' : 'messages');
  assert.ok(Array.isArray(list), 'a request has messages');
  const said = list.flatMap((message: Json) => READERS[protocol](message));
  const groups: Said[][] = [];
  for (const one of said) {
    const last = groups.at(-1);
    if (last?.[0]?.side === one.side) last.push(one);
    else groups.push([one]);
  }
  assert.equal(groups[0]?.[0]?.side, 'user', 'the user begins');
  assert.equal(groups.at(-1)?.[0]?.side, 'user', 'the model is asked, not continued');
  const ids = said.flatMap((one) => one.calls);
  assert.equal(new Set(ids).size, ids.length, `ids of calls are unique: ${ids.join()}`);
  groups.forEach((group, index) => assertGroup(protocol, group, groups[index - 1] ?? []));
}

function assertGroup(protocol: ProtocolId, group: readonly Said[], before: readonly Said[]): void {
  const asked = before.flatMap((one) => one.calls);
  if (group[0]?.side === 'assistant') {
    assert.ok(protocol === 'openai-responses' || group.length === 1, 'no two assistant messages stand together');
    return;
  }
  assert.deepEqual(
    group.flatMap((one) => one.results),
    asked,
    'each call has one result, in the order asked',
  );
  const words = group.flatMap((one, place) => (one.words ? [place] : []));
  assert.ok(words.length <= 1, 'no two user messages stand together');
  assert.ok(words.length === 0 || words[0] === group.length - 1, 'results stand before words');
}

const READERS: Readonly<Record<ProtocolId, (message: Json) => readonly Said[]>> = {
  'openai-chat': (message) => {
    const role = readStringAt(message, 'role');
    if (role === 'system' || role === 'developer') return [];
    if (role === 'tool') return [{ side: 'user', words: false, calls: [], results: [readStringAt(message, 'tool_call_id') ?? ''] }];
    return [{ side: sideOf(role), words: true, calls: idsAt(readPath(message, 'tool_calls'), () => true, 'id'), results: [] }];
  },
  'anthropic-messages': (message) => {
    const content = readPath(message, 'content');
    const calls = idsAt(content, (block) => readStringAt(block, 'type') === 'tool_use', 'id');
    const results = idsAt(content, (block) => readStringAt(block, 'type') === 'tool_result', 'tool_use_id');
    return [
      { side: sideOf(readStringAt(message, 'role')), words: Array.isArray(content) && content.length > results.length, calls, results },
    ];
  },
  'openai-responses': (item) => {
    const id = readStringAt(item, 'call_id') ?? '';
    switch (readStringAt(item, 'type') ?? 'message') {
      case 'function_call':
        return [{ side: 'assistant', words: false, calls: [id], results: [] }];
      case 'function_call_output':
        return [{ side: 'user', words: false, calls: [], results: [id] }];
      case 'reasoning':
        return [{ side: 'assistant', words: false, calls: [], results: [] }];
      default:
        return [{ side: sideOf(readStringAt(item, 'role')), words: true, calls: [], results: [] }];
    }
  },
};

const sideOf = (role: string | undefined): Said['side'] => (role === 'assistant' ? 'assistant' : 'user');
const idsAt = (list: Json | undefined, wanted: (item: Json) => boolean, key: string): string[] =>
  Array.isArray(list) ? list.filter((item: Json) => isObject(item) && wanted(item)).map((item: Json) => readStringAt(item, key) ?? '') : [];
