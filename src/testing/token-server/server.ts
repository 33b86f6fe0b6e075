import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isObject, parseJson } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { closeServer, listenLocally, originOf } from '../loopback/local-server.ts';
import { BYTE_CODEC } from './byte-tokenizer.ts';
import { createShapes, type ServerCodec, type ServerWords } from './shapes.ts';

/** What the model writes next. */
export interface TokenReply {
  readonly text?: string;
  /** In place of `text`: exactly these tokens, without an end of ours. */
  readonly tokens?: readonly number[];
  /** Of each token; made up when left out. */
  readonly logprobs?: readonly number[];
  /** `stop` when left out, and then the end token stands behind `text`. */
  readonly finish?: 'stop' | 'length' | 'abort';
  /** A refusal in place of a reply. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Changes the reply as the server would send it. */
  readonly spoil?: (reply: JsonObject) => Json;
  /** Never answers. */
  readonly isSilent?: true;
}
export interface TokenRequest {
  readonly path: string;
  readonly body: JsonObject;
  readonly headers: IncomingMessage['headers'];
  /** What the model was given. Empty for anything but a generation. */
  readonly prompt: readonly number[];
}
export interface FakeTokenServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly TokenRequest[];
  /** Those that asked for words of the model. */
  generations(): readonly TokenRequest[];
}
export interface TokenServerOptions {
  readonly answer: (request: TokenRequest, index: number) => TokenReply | Promise<TokenReply>;
  /** The tokenizer of `byte-tokenizer.ts` when left out. */
  readonly codec?: ServerCodec;
  /** So many times `/health` answers 503 first. */
  readonly unready?: number;
}

/** The log-probability this model gives to a token at a place of the sequence. */
export const fakeLogprob = (id: number, place: number): number => -(((id * 31 + place * 7) % 97) + 1) / 100;

/** A model behind a server in the shapes of vLLM's and SGLang's `/generate` and of a stock vLLM. */
export async function startTokenServer({ answer, codec = BYTE_CODEC, unready = 0 }: TokenServerOptions): Promise<FakeTokenServer> {
  const requests: TokenRequest[] = [];
  const shapes = createShapes(codec);
  let [asked, sick] = [0, unready];
  const handle = async (path: string, body: JsonObject, headers: IncomingMessage['headers']): Promise<ServerAnswer | undefined> => {
    const shape = shapes.find((row) => row.path === path && row.fits(body));
    if (shape === undefined) return refuse({ status: 404 });
    const request = { path, body, headers, prompt: shape.prompt?.(body) ?? [] };
    requests.push(request);
    if (shape.prompt === undefined) return { status: 200, body: shape.reply(body, NO_WORDS) };
    const reply = await answer(request, asked++);
    if (reply.isSilent === true) return undefined;
    if (reply.status !== undefined) return refuse(reply);
    const made = shape.reply(body, toWords(request.prompt, reply, codec));
    return { status: 200, body: reply.spoil?.(made) ?? made };
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    if (path === '/health') return void response.writeHead(sick-- > 0 ? 503 : 200).end();
    void readBody(request)
      .then((body) => handle(path, body, request.headers))
      .then((said) => send(response, said));
  });
  await listenLocally(server);
  return {
    url: originOf(server),
    requests,
    generations: () => requests.filter(({ path }) => !path.endsWith('tokenize')),
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}

interface ServerAnswer {
  readonly status: number;
  readonly headers?: TokenReply['headers'];
  readonly body: Json;
}
const refuse = ({ status = 500, headers }: TokenReply): ServerAnswer => ({
  status,
  ...(headers !== undefined && { headers }),
  body: { error: { message: `the fake answers ${status}`, code: status } },
});

const NO_WORDS: ServerWords = { prompt: [], tokens: [], logprobs: [], finish: 'stop', text: '' };

function toWords(prompt: readonly number[], reply: TokenReply, { encode, decode, end }: ServerCodec): ServerWords {
  const { text = '', tokens, finish = 'stop' } = reply;
  const written = tokens ?? [...encode(text), ...(finish === 'stop' ? [end] : [])];
  const said = written.at(-1) === end ? written.slice(0, -1) : written;
  const logprobs = reply.logprobs ?? written.map((id, index) => fakeLogprob(id, prompt.length + index));
  return { prompt, tokens: written, logprobs, finish, text: decode(said) };
}

async function readBody(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const body = parseJson(Buffer.concat(chunks).toString());
  return isObject(body) ? body : {};
}

/** Silence is a server that never answers. */
function send(response: ServerResponse, answer: ServerAnswer | undefined): void {
  if (answer === undefined) return;
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(JSON.stringify(answer.body));
}
