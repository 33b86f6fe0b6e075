import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isObject, parseJson, readPath, readStringAt } from '../../../src/base/json.ts';
import type { Json } from '../../../src/base/json-types.ts';
import { closeServer, listenLocally, originOf } from '../../../src/testing/loopback/local-server.ts';

const DIMENSION = 256;

/** What a memory server needs of models, without any: likeness by words, and a memory of every message of a user, word for word. */
export async function openWordsModel(): Promise<{ readonly url: string } & AsyncDisposable> {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = parseJson((await request.toArray()).join('')) ?? null;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.url?.endsWith('/embeddings') === true ? embed(body) : answer(body)));
  };
  const server = createServer((request, response) => void serve(request, response));
  await listenLocally(server);
  return { url: `${originOf(server)}/v1`, [Symbol.asyncDispose]: () => closeServer(server) };
}
export const WORDS_DIMENSION = DIMENSION;

function embed(body: Json): Json {
  const input = readPath(body, 'input');
  const texts = (Array.isArray(input) ? input : [input]).map((text) => (typeof text === 'string' ? text : JSON.stringify(text)));
  return {
    object: 'list',
    model: 'words',
    data: texts.map((text, index) => ({ object: 'embedding', index, embedding: toVector(text) })),
    usage: { prompt_tokens: 1, total_tokens: 1 },
  };
}
function toVector(text: string): number[] {
  const vector = Array.from({ length: DIMENSION }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const place = Array.from(word).reduce((hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0, 7) % DIMENSION;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((each) => each / length);
}

/** OpenViking asks for a small program that says what to remember. */
function answer(body: Json): Json {
  const messages = readPath(body, 'messages');
  const text = (Array.isArray(messages) ? messages : [])
    .flatMap((message: Json) => (isObject(message) ? (readStringAt(message, 'content') ?? []) : []))
    .join('\n');
  const said = [...text.matchAll(/^\[(\d+)\]\[user\][^\n]*?: (.*)$/gm)];
  const calls = said.map(
    ([, index = '0', words = ''], at) =>
      `sdk.create_events(event_name="note_${'abcdefghij'[at % 10]}", goal="""remember""", summary="""${words.replaceAll('"', "'")}""", ranges="""${index}""")`,
  );
  const content = said.length === 0 ? 'Nothing new.' : `\`\`\`python\n${calls.join('\n')}\n\`\`\``;
  return {
    id: 'words',
    object: 'chat.completion',
    created: 0,
    model: 'words',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}
