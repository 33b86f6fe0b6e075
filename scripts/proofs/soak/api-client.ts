import { Agent, request } from 'node:http';
import { SOAK_KEY } from './scene.ts';

/** A program that uses the API in every way there is, over connections of its own. */
export interface SoakClient {
  /** Has one message answered, in the way whose turn it is. */
  ask(round: number): Promise<void>;
  /** Closes its connections; the next message opens others. */
  hangUp(): void;
}

interface ClientAnswer {
  readonly status: number;
  readonly text: string;
  readonly session: string;
  readonly run: string;
}

export function openSoakClient(port: number, line: number): SoakClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const send = (method: string, path: string, body?: object, leave = false): Promise<ClientAnswer> =>
    sendRequest({ port, agent, method, path, leave, ...(body && { body }) });
  const words = (round: number): string => `How are you, number ${line}.${round}? ${'Tell me about the weather. '.repeat(5)}`;
  const messages = (round: number) => [{ role: 'user', content: words(round) }];
  /** The session this line goes on with; it is deleted when it has become long, as front ends do. */
  let session = '';
  const ways: readonly ((round: number) => Promise<unknown>)[] = [
    async (round) => {
      if (session !== '') expectStatus(await send('DELETE', `/api/sessions/${session}`), 200);
      session = expectStatus(await send('POST', '/v1/chat/completions', { messages: messages(round) }), 200).session;
    },
    async (round) => expectStatus(await send('POST', `/api/sessions/${session}/chat`, { message: words(round) }), 200),
    async (round) => expectStatus(await send('POST', `/api/sessions/${session}/chat/stream`, { message: words(round) }), 200),
    async (round) => expectStatus(await send('POST', '/v1/chat/completions', { messages: messages(round), stream: true }), 200),
    async (round) => expectStatus(await send('POST', '/v1/responses', { input: words(round) }), 200),
    // Leaves with the first event, and comes back for the rest.
    async (round) => {
      const { run } = await send('POST', '/v1/chat/completions', { messages: messages(round), stream: true }, true);
      expectStatus(await send('GET', `/v1/runs/${run}/events`), 200);
    },
    async (round) => {
      const { text } = expectStatus(await send('POST', '/v1/runs', { input: words(round), session_id: session }), 202);
      expectStatus(await send('GET', `/v1/runs/${JSON.parse(text).run_id}/events`), 200);
    },
  ];
  return {
    ask: async (round) => void (await ways[round % ways.length]?.(round)),
    hangUp: () => agent.destroy(),
  };
}

function expectStatus(answer: ClientAnswer, status: number): ClientAnswer {
  if (answer.status !== status) throw new Error(`${answer.status}: ${answer.text}`);
  return answer;
}

interface SentRequest {
  readonly port: number;
  readonly agent: Agent;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** Hangs up as soon as something comes. */
  readonly leave: boolean;
}

/** Requests that were sent again: the server had closed a connection that nobody used, as it may, when they were on their way. */
let sentAgain = 0;
export const countSentAgain = (): number => sentAgain;

function sendRequest(given: SentRequest): Promise<ClientAnswer> {
  const { port, agent, method, path, body, leave } = given;
  const headers = { authorization: `Bearer ${SOAK_KEY}`, 'content-type': 'application/json' };
  return new Promise((done, fail) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
      let text = '';
      const end = (): void =>
        done({
          status: response.statusCode ?? 0,
          text,
          session: String(response.headers['x-hermes-session-id'] ?? ''),
          run: String(response.headers['x-hermes-run-id'] ?? ''),
        });
      response.setEncoding('utf8').once('error', fail).once('end', end);
      response.on('data', (chunk: string) => {
        text += chunk;
        if (!leave) return;
        response.removeListener('error', fail).on('error', () => {});
        sent.destroy();
        end();
      });
    });
    sent.once('error', (error: NodeJS.ErrnoException) => {
      if (!sent.reusedSocket || error.code !== 'ECONNRESET') return fail(error);
      sentAgain++;
      sendRequest(given).then(done, fail);
    });
    sent.end(body && JSON.stringify(body));
  });
}
