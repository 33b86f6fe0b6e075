/**
 * The floor: the least a Node program can do for the same work. It posts the same kind of requests with node:http, runs the
 * commands the model asks for or reads its files, and keeps the transcript in memory. No log, no options, no recovery, no limits.
 *   node bench/floor.mjs URL MODEL TEXT [lean]
 *
 * `import` reads every export of node:http and so loads all of fetch and WebSocket, about 40 ms and 10 MB; `lean` goes round that,
 * which is the lowest floor we know of.
 */
const [url, model, question, lean] = process.argv.slice(2);
const { spawn } = lean ? process.getBuiltinModule('node:child_process') : await import('node:child_process');
const { readFile } = process.getBuiltinModule('node:fs/promises');
const { default: http } = lean ? { default: process.getBuiltinModule('node:http') } : await import('node:http');
const SYSTEM = `You are an agent that works on this machine. ${'Be brief and exact. '.repeat(20)}`;
const properties = { command: { type: 'string', description: 'The command line' } };
const tools = [
  {
    type: 'function',
    function: { name: 'terminal', description: 'Run a shell command.', parameters: { type: 'object', properties, required: ['command'] } },
  },
];
const messages = [
  { role: 'system', content: SYSTEM },
  { role: 'user', content: question },
];

for (;;) {
  const answer = await ask();
  messages.push(answer);
  if (answer.tool_calls === undefined) break;
  for (const call of answer.tool_calls) {
    const { command, path } = JSON.parse(call.function.arguments);
    messages.push({ role: 'tool', tool_call_id: call.id, content: await (path === undefined ? run(command) : readFile(path, 'utf8')) });
  }
}
process.stdout.write(`${messages.at(-1).content}\n`);

function ask() {
  const body = JSON.stringify({ model, tools, messages, stream: true, stream_options: { include_usage: true } });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), authorization: 'Bearer none' };
  return new Promise((resolve, reject) => {
    const request = http.request(`${url}/chat/completions`, { method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve(fold(text)));
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** The deltas of one answer as one message. */
function fold(text) {
  let content = '';
  const calls = [];
  for (const line of text.split('\n')) {
    if (!line.startsWith('data: {')) continue;
    const delta = JSON.parse(line.slice(6)).choices[0]?.delta ?? {};
    content += delta.content ?? '';
    for (const { index, id, function: part } of delta.tool_calls ?? []) {
      calls[index] ??= { id, type: 'function', function: { name: part.name, arguments: '' } };
      calls[index].function.arguments += part.arguments ?? '';
    }
  }
  return calls.length === 0 ? { role: 'assistant', content } : { role: 'assistant', tool_calls: calls, content: null };
}

function run(command) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn('/bin/bash', ['-c', command]);
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (output += chunk));
    child.on('close', () => resolve(output));
  });
}
