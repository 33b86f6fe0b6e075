/**
 * The model both programs talk to, in a process of its own so that its work and memory are not theirs. Told over IPC to begin
 * anew or to report. What it answers is in the model's name: `hi` greets, `steps-N` asks for N commands first.
 */
import { startWireServer, type RecordedRequest, type Reply, type WireServer } from '../src/testing/wire-server/index.ts';
import type { ServerReport } from './wire.ts';

let arrivals: number[] = [];
let server: WireServer | undefined;

process.on('message', (wish) => void (wish === 'anew' ? anew() : report()));

async function anew(): Promise<void> {
  await server?.[Symbol.asyncDispose]();
  arrivals = [];
  server = await startWireServer({ answer });
  process.send?.({ url: server.url });
}

function report(): void {
  const told: ServerReport = { arrivals, bodies: server?.requests.map((request) => request.text) ?? [] };
  process.send?.(told);
}

function answer(request: RecordedRequest): Reply {
  arrivals.push(Number(process.hrtime.bigint()) / 1e6);
  const steps = Number(/"model":"steps-(\d+)"/.exec(request.text.slice(0, 200))?.[1] ?? 0);
  const done = request.text.match(/"tool_call_id":|"type":"tool_result"|"type":"function_call_output"/g)?.length ?? 0;
  if (done >= steps) return { text: 'All done.' };
  // Two kilobytes without a process beyond the shell itself.
  return { calls: [{ name: 'terminal', arguments: { command: `printf 'step ${done} %01980d' 0` } }], chunk: 1000 };
}
