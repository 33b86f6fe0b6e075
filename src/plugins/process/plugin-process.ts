import type { Json, JsonObject } from '../../base/json-types.ts';
import { runWithTimeout } from '../../base/waits.ts';
import type { PluginManifest } from '../../contracts/plugin-manifest.ts';
import type { SetupReport } from './wire.ts';
import type { PluginChild, SpawnPlugin } from './plugin-child.ts';
import { createPluginVoice, toPluginLine } from '../words/plugin-words.ts';
import { watchUse, type UseWatch } from '../../base/watch-use.ts';
import { connectPlugin, type PluginCall, type WireConnection } from './wire-connection.ts';

/**
 * One plugin's process: started with the first call, started again after it died, and ended with the host. What goes wrong in it
 * costs the calls that wait for it and nobody else's. Its trouble is told once an hour at most.
 */
export interface PluginProcess extends AsyncDisposable {
  call(call: PluginCall, options: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined }): Promise<Json | undefined>;
  /** Starts it if need be, and says what it added. */
  setUp(): Promise<SetupReport>;
}
export interface PluginProcessOptions {
  readonly manifest: PluginManifest;
  readonly settings: JsonObject;
  readonly secrets: Readonly<Record<string, string>>;
  readonly spawn: SpawnPlugin;
  notice(words: string): void;
  now?(): number;
}

const SETUP_MS = 20_000;
const PING_MS = 2_000;
/** So many starts in so long a time, and then it rests. */
const MAX_STARTS = 4;
const STARTS_MS = 60_000;

interface Started {
  readonly child: PluginChild;
  readonly connection: WireConnection;
  readonly watch: UseWatch;
  readonly report: SetupReport;
}

export function openPluginProcess(options: PluginProcessOptions): PluginProcess {
  const { manifest, now = () => performance.now() } = options;
  const { name } = manifest;
  const brake = createBrake(now);
  let current: Promise<Started> | undefined;
  const closing = new AbortController();
  const living = new Set<Promise<unknown>>();
  const say = createPluginVoice(name, (words) => options.notice(words), now);
  const complain = tellSeldom(now, (words) => options.notice(`The plugin ${name} does not work: ${words}. Only its own calls fail.`));
  const start = async (onEnd: () => void): Promise<Started> => {
    if (closing.signal.aborted) throw new Error('it was disabled, or the program ends');
    brake.check();
    const child = await options.spawn(closing.signal);
    brake.count();
    const connection = connectPlugin(child, say);
    const watch = watchUse(child, (excess) => connection.breakOff(`it was ended: ${excess}`));
    const kill = (): void => child.kill();
    const over = connection.ended.then((why) => {
      watch.stop();
      closing.signal.removeEventListener('abort', kill);
      living.delete(over);
      onEnd();
      if (!closing.signal.aborted) complain(why);
    });
    living.add(over);
    // Whoever closes does not wait for a setup.
    if (closing.signal.aborted) kill();
    else closing.signal.addEventListener('abort', kill);
    try {
      const params = { entry: `${child.paths.folder}/${manifest.entry ?? ''}`, dataFolder: child.paths.data };
      const { settings, secrets } = options;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- plain data, all of it
      const asked = { ...params, manifest, settings, secrets } as unknown as JsonObject;
      const report = await within(SETUP_MS, 'its setup', undefined, (signal) => connection.ask({ method: 'setup', params: asked }, signal));
      return { child, connection, watch, report: readReport(report) };
    } catch (error) {
      child.kill();
      throw error;
    }
  };
  let checking: Promise<void> | undefined;
  const take = async (): Promise<Started> => {
    await checking;
    if (current !== undefined) return current;
    // The end of an earlier one may come late: it takes nothing from the one that runs by then.
    const forget = (): void => {
      if (current === own) current = undefined;
    };
    const own: Promise<Started> = start(forget).catch((error: unknown) => {
      forget();
      if (!closing.signal.aborted) complain(toPluginLine(error));
      throw error;
    });
    current = own;
    return own;
  };
  /** A call overran its time: whoever cannot answer at all is ended, so that the next call finds a fresh one. */
  const checkAlive = ({ connection, child }: Started): void => {
    checking ??= within(PING_MS, 'it', undefined, (signal) => connection.ask({ method: 'ping', params: {} }, signal))
      .then(
        () => {},
        async () => {
          child.kill();
          await connection.ended;
        },
      )
      .finally(() => (checking = undefined));
  };
  return {
    setUp: async () => (await take()).report,
    call: async (call, { timeoutMs, signal }) => {
      const started = await take();
      started.watch.expectWork();
      try {
        return await within(timeoutMs, 'it', signal, (limit) => started.connection.ask(call, limit));
      } catch (error) {
        if (error instanceof Overrun) checkAlive(started);
        throw error;
      }
    },
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await current?.catch(() => undefined);
      await Promise.all(living);
    },
  };
}

/** Whoever starts again and again is left alone for a while: `check` throws then. */
function createBrake(now: () => number): { check(): void; count(): void } {
  const starts: number[] = [];
  return {
    check: () => {
      while (starts.length > 0 && now() - (starts[0] ?? 0) > STARTS_MS) starts.shift();
      if (starts.length < MAX_STARTS) return;
      const seconds = Math.ceil((STARTS_MS - (now() - (starts[0] ?? 0))) / 1_000);
      throw new Error(`it ended ${MAX_STARTS} times within a minute, so it is left alone for ${seconds} s`);
    },
    count: () => void starts.push(now()),
  };
}

class Overrun extends Error {}
/** An answer in time; the signal of the caller ends it as well. */
function within<Value>(
  ms: number,
  what: string,
  stop: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const late = new Overrun(`${what} did not answer within ${ms / 1_000} s`);
  return runWithTimeout((limit) => work(stop === undefined ? limit : AbortSignal.any([limit, stop])), ms, late);
}

const SELDOM_MS = 3_600_000;
function tellSeldom(now: () => number, tell: (words: string) => void): (words: string) => void {
  let last = -Infinity;
  return (words) => {
    if (now() - last < SELDOM_MS) return;
    last = now();
    tell(words);
  };
}

/** What a foreign process says of itself is read as nothing but this. */
function readReport(value: Json | undefined): SetupReport {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- looked at below
  const report = (value ?? {}) as unknown as Partial<SetupReport>;
  const texts = (list: unknown): readonly string[] =>
    Array.isArray(list) ? list.slice(0, 200).flatMap((each) => (typeof each === 'string' ? [toPluginLine(each, 200)] : [])) : [];
  return {
    tools: Array.isArray(report.tools) ? report.tools.slice(0, 200) : [],
    hooks: texts(report.hooks),
    ...(report.memory !== undefined && { memory: texts(report.memory) }),
    refused: texts(report.refused),
    missing: texts(report.missing),
  };
}
