/** Reads the first line of its input, which has everything, and hands it to the prelude. */
export const JAVASCRIPT_BOOT = String.raw`let said = '';
process.stdin.setEncoding('utf8');
const hear = (chunk) => {
  said += chunk;
  const end = said.indexOf('\n');
  if (end < 0) return;
  process.stdin.off('data', hear);
  const given = JSON.parse(said.slice(0, end));
  const run = new Function('require', 'given', 'rest', given.prelude)(require, given, said.slice(end + 1));
  import(run.href);
};
process.stdin.on('data', hear);
`;

/** Makes the tools, keeps standard output and error in one order, and lays the script down as a module; gives where it is. */
export const JAVASCRIPT_PRELUDE = String.raw`
const fs = require('node:fs');
const PIECE = 1900;
const LETTERS = 'ghijklmnopqrstuv';
const mark = '<\u001e' + given.token + ' ';
const write = process.stdout.write.bind(process.stdout);
const send = (kind, number, data) => {
  const bytes = Buffer.from(data);
  for (let at = 0; at === 0 || at < bytes.length; at += PIECE) {
    const piece = bytes.subarray(at, at + PIECE).toString('hex').replace(/./g, (digit) => LETTERS[parseInt(digit, 16)]);
    write(mark + kind + number + '.' + (at + PIECE >= bytes.length ? 1 : 0) + ' ' + piece + '\n');
  }
};

class ToolError extends Error {
  name = 'ToolError';
}
const waiting = new Map();
let number = 0;
let gone = false;
// Only a call that waits keeps the script alive.
const hold = () => (waiting.size > 0 ? process.stdin.ref?.() : process.stdin.unref?.());
const call = (tool, input = {}) =>
  new Promise((resolve, reject) => {
    const data = JSON.stringify({ tool, input });
    if (gone) return reject(new ToolError('nobody answers any more'));
    waiting.set((number += 1), { resolve, reject });
    hold();
    send('c', number, data);
  });
const hear = (line) => {
  let answer = {};
  try {
    answer = JSON.parse(line);
  } catch {}
  if (answer.stop) process.kill(0, 'SIGTERM');
  const asked = waiting.get(answer.id);
  if (asked === undefined) return;
  waiting.delete(answer.id);
  hold();
  if (answer.failed) asked.reject(new ToolError(answer.data?.text));
  else asked.resolve(answer.data);
};
let said = '';
const listen = (chunk) => {
  const lines = (said + chunk).split('\n');
  said = lines.pop();
  lines.forEach(hear);
};
listen(rest);
process.stdin.on('data', listen);
process.stdin.on('end', () => {
  gone = true;
  for (const { reject } of waiting.values()) reject(new ToolError('nobody answers any more'));
});
hold();

process.stderr.write = process.stdout.write.bind(process.stdout);
const tools = Object.fromEntries(given.tools.map((tool) => [tool, (input) => call(tool, input)]));
globalThis.hermes_tools = { ...tools, call, ToolError };
for (const [name, value] of Object.entries(globalThis.hermes_tools)) if (!(name in globalThis)) globalThis[name] = value;
globalThis.require = require('node:module').createRequire(process.cwd() + '/');

const path = require('node:path').join(require('node:os').tmpdir(), given.name);
send('r', 0, path);
fs.writeFileSync(path, given.code, { mode: 0o600, flag: 'wx' });
process.on('exit', () => fs.rmSync(path, { force: true }));
process.argv[1] = path;
return require('node:url').pathToFileURL(path);
`;
