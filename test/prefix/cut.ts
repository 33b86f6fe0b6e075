import assert from 'node:assert/strict';

/** A request body cut into what a provider caches: pieces of the very bytes, never parsed and printed again, cache marks set aside. */
export interface Cut {
  /** Tool table, system prompt, then each message, as far as the wire has them outside of the messages. */
  readonly segments: readonly Segment[];
  readonly marks: number;
}
export interface Segment {
  readonly name: string;
  readonly bytes: string;
}

const MARK = /,"cache_control":\{"type":"ephemeral"(?:,"ttl":"1h")?\}/g;
const ANY_MARK = /"cache_control":/g;

export function cut(body: string): Cut {
  const members = new Map(membersOf(body));
  const head = ['tools', 'system', 'instructions'].map((name) => ({ name, bytes: members.get(name) ?? '' }));
  const list = members.get('messages') ?? members.get('input');
  assert.ok(list?.startsWith('[') === true, 'a request has messages');
  const messages = itemsOf(list).map((bytes, index) => ({ name: `message ${index}`, bytes }));
  const all = [...head, ...messages];
  return {
    segments: all.map(({ name, bytes }) => ({ name, bytes: bytes.replaceAll(MARK, '') })),
    marks: all.reduce((sum, { bytes }) => sum + (bytes.match(ANY_MARK)?.length ?? 0), 0),
  };
}

/** The members of a JSON object as they stand. */
function* membersOf(json: string): Generator<readonly [name: string, bytes: string]> {
  assert.equal(json[0], '{');
  for (let at = 1; json[at] === '"' || json[at] === ',';) {
    const from = json[at] === ',' ? at + 1 : at;
    const colon = endOf(json, from);
    const end = endOf(json, colon + 1);
    yield [json.slice(from + 1, colon - 1), json.slice(colon + 1, end)];
    at = end;
  }
}

function itemsOf(json: string): string[] {
  const items: string[] = [];
  for (let at = 1; at < json.length - 1;) {
    const end = endOf(json, at);
    items.push(json.slice(at, end));
    at = end + 1;
  }
  return items;
}

const STRUCTURE = /["{}[\],]/g;

/** Where the value that begins here ends. */
function endOf(json: string, from: number): number {
  if (json[from] === '"') return afterString(json, from);
  let depth = 0;
  for (let at = from; at < json.length;) {
    STRUCTURE.lastIndex = at;
    const found = STRUCTURE.exec(json);
    assert.ok(found !== null, 'the body breaks off');
    const [sign] = found;
    if (sign === '"') {
      at = afterString(json, found.index);
      continue;
    }
    if (depth === 0 && (sign === ',' || sign === '}' || sign === ']')) return found.index;
    if (sign === '{' || sign === '[') depth++;
    if (sign === '}' || sign === ']') depth--;
    at = found.index + 1;
    if (depth === 0 && sign !== ',') return at;
  }
  throw new Error('the body breaks off');
}

function afterString(json: string, from: number): number {
  for (let at = json.indexOf('"', from + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0;
    while (json[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  throw new Error('a string breaks off');
}
