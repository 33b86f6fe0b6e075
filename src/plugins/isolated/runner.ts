/**
 * The program that runs one plugin in a process of its own. Requests come in on stdin, answers go out on what was stdout; whatever
 * the plugin prints goes to stderr. It trusts nobody and nobody trusts it: all that holds it is outside.
 */
import { createInterface } from 'node:readline';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isObject, parseJson, readNumberAt, readPath, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { reportSetup, serveCall } from '../serve-call.ts';
import { setUpPlugin, type PluginAdditions } from '../shelves.ts';
import { describeFailure, describeLoadFailure } from './describe-failure.ts';
import { MAX_WIRE_BYTES, type FromPlugin, type SetupParams, type SetupReport } from '../process/wire.ts';

const answer = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

const [, , entryOfPlugins = ''] = process.argv;
/** Plugins import what is published under this name, wherever they lie. */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'hermes-ts/plugin' ? { url: pathToFileURL(entryOfPlugins).href, shortCircuit: true } : next(specifier, context),
});

const send = (message: FromPlugin): void => {
  const line = JSON.stringify(message);
  answer(Buffer.byteLength(line) <= MAX_WIRE_BYTES ? `${line}\n` : `${JSON.stringify(shorten(message))}\n`);
};
const shorten = (message: FromPlugin): FromPlugin =>
  'id' in message
    ? { id: message.id, error: `its answer is longer than ${MAX_WIRE_BYTES / 1_000_000} MB` }
    : { notice: 'it tried to tell more than fits a line' };

const running = new Map<number, AbortController>();
let additions: PluginAdditions | undefined;

createInterface({ input: process.stdin, crlfDelay: Infinity })
  .on('line', (line) => {
    const message = parseJson(line);
    const cancel = readNumberAt(message, 'cancel');
    if (cancel !== undefined) return running.get(cancel)?.abort();
    const [id, method, params] = [readNumberAt(message, 'id'), readStringAt(message, 'method'), readPath(message, 'params')];
    if (id !== undefined && method !== undefined && isObject(params)) void serve(id, method, params);
  })
  .on('close', () => process.exit());

answer(`${JSON.stringify({ ready: true })}\n`);

async function serve(id: number, method: string, params: JsonObject): Promise<void> {
  const stop = new AbortController();
  running.set(id, stop);
  try {
    const result = await run(id, method, params, stop.signal);
    // `undefined` is no answer, and not the same as `null`.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is no JSON is lost on the way
    send(result === undefined ? { id } : { id, result: result as Json });
  } catch (error) {
    send({ id, error: describeFailure(error).slice(0, 4_000) });
  } finally {
    running.delete(id);
  }
}

async function run(id: number, method: string, params: JsonObject, signal: AbortSignal): Promise<unknown> {
  if (method === 'ping') return true;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the program that started us says so
  if (method === 'setup') return setUp(params as unknown as SetupParams);
  if (additions === undefined) throw new Error('it is not set up');
  return serveCall(additions, { method, params, signal, report: (note) => send({ report: id, note: note.slice(0, 500) }) });
}

async function setUp({ entry, ...options }: SetupParams): Promise<SetupReport> {
  // Libraries look there. A variable at the start would stand in the list of processes.
  Object.assign(process.env, options.secrets);
  const loaded = await load(entry);
  const notice = (words: string): void => send({ notice: words.slice(0, 500) });
  additions = await setUpPlugin(loaded.default, { ...options, notice, inside: false });
  return reportSetup(additions);
}

async function load(entry: string): Promise<{ readonly default?: unknown }> {
  try {
    return await import(pathToFileURL(entry).href);
  } catch (error) {
    throw new Error(describeLoadFailure(error, entry), { cause: error });
  }
}
