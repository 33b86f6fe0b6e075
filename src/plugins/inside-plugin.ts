import { lazy } from '../base/lazy.ts';
import { runWithTimeout } from '../base/waits.ts';
import type { Json } from '../base/json-types.ts';
import { createPluginVoice, toPluginLine } from './words/plugin-words.ts';
import type { PluginProcess } from './process/plugin-process.ts';
import { reportSetup, serveCall } from './serve-call.ts';
import { setUpPlugin, type PluginAdditions, type ShelfOptions } from './shelves.ts';

/** A plugin inside of this program. It is loaded with the first call, and its calls look just like those of one that is elsewhere. */
export interface InsidePlugin extends PluginProcess {
  /** What it added; loads it if need be. */
  additions(): Promise<PluginAdditions>;
}

const throwInWords = (error: unknown): never => {
  throw new Error(toPluginLine(error, 2_000), { cause: error });
};

/** `load` gives what its entry exports. */
export function openInsidePlugin(load: () => Promise<unknown>, options: Omit<ShelfOptions, 'inside'>): InsidePlugin {
  const { name } = options.manifest;
  const say = createPluginVoice(name, (words) => options.notice(words));
  let told = false;
  const additions = lazy(async () => {
    try {
      return await setUpPlugin(await load(), { ...options, notice: say, inside: true });
    } catch (error) {
      if (!told) options.notice(`The plugin ${name} does not work: ${toPluginLine(error)}`);
      told = true;
      return throwInWords(error);
    }
  });
  return {
    additions,
    setUp: async () => reportSetup(await additions()),
    call: async ({ method, params, onReport }, { timeoutMs, signal }) => {
      const there = await additions();
      const late = new Error(`it did not answer within ${timeoutMs / 1_000} s`);
      const answer = await runWithTimeout(
        (limit) =>
          serveCall(there, {
            method,
            params: structuredClone(params),
            signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
            report: (note) => onReport?.(toPluginLine(note, 200)),
          }).catch(throwInWords),
        timeoutMs,
        late,
      );
      // As if it had come over the wire: plain data, and nobody's own.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what JSON gives is JSON
      return answer === undefined ? undefined : (JSON.parse(JSON.stringify(answer) ?? 'null') as Json);
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
