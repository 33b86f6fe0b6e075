import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BareCall {
  readonly name: string;
  readonly arguments: unknown;
}
export interface BareModel extends AsyncDisposable {
  readonly url: string;
}

export interface BareModelOptions {
  /** How long it thinks before it answers. */
  readonly thinkMs?: number;
  /** Pieces of its last answer. */
  readonly deltas?: number;
}

/**
 * A model that looks at nothing it is sent and keeps nothing: what is measured beside it is the agent's work, not that of
 * reading ever longer requests. `answer` hears how long the agent took since the last answer; no calls end the turn.
 */
export async function startBareModel(
  answer: (step: number, waitedMs: number) => readonly BareCall[] | undefined,
  { thinkMs = 0, deltas = 1 }: BareModelOptions = {},
): Promise<BareModel> {
  let step = 0;
  let answeredAt = performance.now();
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      const calls = answer(step++, performance.now() - answeredAt);
      const reply = () => {
        send(response, calls, deltas);
        answeredAt = performance.now();
      };
      if (thinkMs > 0) setTimeout(reply, thinkMs);
      else reply();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Ordinary prose: a few hundred words over and over, in no order that repeats itself. */
const wordAt = (at: number): string => `word${(at * at * 31 + at * 17) % 397}`;

function send(response: ServerResponse, calls: readonly BareCall[] | undefined, deltas: number): void {
  const tool_calls = calls?.map((call, index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
  const delta = tool_calls === undefined ? { role: 'assistant', content: 'All done.' } : { role: 'assistant', tool_calls };
  const words =
    calls === undefined ? Array.from({ length: deltas - 1 }, (_, at) => ({ role: 'assistant', content: `${wordAt(at)} ` })) : [];
  const chunks = [
    ...words.map((piece) => ({ choices: [{ index: 0, delta: piece, finish_reason: null }] })),
    { choices: [{ index: 0, delta, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: calls === undefined ? 'stop' : 'tool_calls' }] },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const chunk of chunks) response.write(`data: ${JSON.stringify({ object: 'chat.completion.chunk', ...chunk })}\n\n`);
  response.end('data: [DONE]\n\n');
}
