/**
 * Stands between a client and an agent, and writes down every line that passes: the client starts this in place of the agent.
 *   node recorder.ts FILE PROGRAM [ARGUMENT …]
 */
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

const [, , file = '', program = '', ...args] = process.argv;
const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });

function pass(from: 'client' | 'agent', input: Readable, output: Writable): void {
  output.on('error', () => {});
  const lines = createInterface({ input, crlfDelay: Infinity });
  lines.on('line', (line) => {
    appendFileSync(file, `${JSON.stringify({ from, at: Date.now(), line })}\n`);
    output.write(`${line}\n`);
  });
  lines.once('close', () => output.end());
}
pass('client', process.stdin, child.stdin);
pass('agent', child.stdout, process.stdout);
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => child.kill(name));
// The client hears of the end of the agent even while it has more to say.
child.once('close', (code) => process.stdout.end(() => process.exit(code ?? 1)));
