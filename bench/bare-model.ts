import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

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
  /** How long it writes the arguments of its calls: their names come first, as from models that stream. All at once when absent. */
  readonly writeMs?: number;
  /** Pieces of its last answer. */
  readonly deltas?: number;
}

/**
 * A model that looks at nothing it is sent and keeps nothing: what is measured beside it is the agent's work, not that of
 * reading ever longer requests. `answer` hears how long the agent took since the last answer; no calls end the turn.
 */
export async function startBareModel(
  answer: (step: number, waitedMs: number) => readonly BareCall[] | undefined,
  { thinkMs = 0, writeMs = 0, deltas = 1 }: BareModelOptions = {},
): Promise<BareModel> {
  let step = 0;
  let answeredAt = performance.now();
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      const calls = answer(step++, performance.now() - answeredAt);
      const reply = async () => {
        await send(response, chunksOf(calls, deltas), calls === undefined ? 0 : writeMs);
        answeredAt = performance.now();
      };
      if (thinkMs > 0) setTimeout(() => void reply(), thinkMs);
      else void reply();
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

/** The first chunk, then the rest after a while. */
async function send(response: ServerResponse, [first, ...rest]: readonly object[], pauseMs: number): Promise<void> {
  const write = (chunk: object | undefined): void =>
    void response.write(`data: ${JSON.stringify({ object: 'chat.completion.chunk', ...chunk })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  write(first);
  if (pauseMs > 0) await pause(pauseMs);
  for (const chunk of rest) write(chunk);
  response.end('data: [DONE]\n\n');
}

function chunksOf(calls: readonly BareCall[] | undefined, deltas: number): readonly object[] {
  const choice = (delta: object, finish_reason: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason }] });
  if (calls === undefined)
    return [
      ...Array.from({ length: deltas - 1 }, (_, at) => choice({ role: 'assistant', content: `${wordAt(at)} ` })),
      choice({ role: 'assistant', content: 'All done.' }),
      choice({}, 'stop'),
    ];
  const named = calls.map(({ name }, index) => ({ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }));
  const written = calls.map((call, index) => ({ index, function: { arguments: JSON.stringify(call.arguments) } }));
  return [choice({ role: 'assistant', tool_calls: named }), choice({ tool_calls: written }), choice({}, 'tool_calls')];
}
