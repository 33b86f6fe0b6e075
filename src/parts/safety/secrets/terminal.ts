import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { randomHex } from '../../../base/ids.ts';
import type { RedactingStream, Secrets } from '../../../contracts/secrets.ts';
import type { RunningProcess, Terminal } from '../../../contracts/terminal.ts';
import { createMaskingStream } from './masking-stream.ts';

/**
 * A terminal whose output holds no secret any more when anybody sees it. Terminals that take `clean` redact before they cut
 * and before they write the whole of a long output down; what comes from one that does not is redacted afterwards.
 */
export function createRedactingTerminal(terminal: Terminal, secrets: Secrets): Terminal {
  const clean = (use: 'shown' | 'kept'): RedactingStream => (use === 'shown' ? secrets.stream() : createMaskingStream(secrets));
  const running =
    (run: Terminal['run']): Terminal['run'] =>
    async (command, options) => {
      const heard = options.onOutput && redactListener(options.onOutput, secrets);
      const result = await run(command, { ...options, clean, ...(heard !== undefined && { onOutput: heard.onOutput }) });
      heard?.end();
      await redactFile(options.keepAll, secrets);
      return { ...result, output: secrets.redact(result.output) };
    };
  const starting =
    (start: Terminal['start']): Terminal['start'] =>
    async (command, options) =>
      redactRunning(await start(command, { ...options, clean }), options.keepAll, secrets);
  return {
    ...terminal,
    get cwd() {
      return terminal.cwd;
    },
    get wall() {
      const { wall } = terminal;
      if (wall === undefined) return undefined;
      return {
        ...wall,
        runOutside: running((command, options) => wall.runOutside(command, options)),
        startOutside: starting((command, options) => wall.startOutside(command, options)),
      };
    },
    run: running((command, options) => terminal.run(command, options)),
    start: starting((command, options) => terminal.start(command, options)),
    [Symbol.asyncDispose]: () => terminal[Symbol.asyncDispose](),
  };
}

/** A process whose words hold no secret any more when anybody hears them. */
export function redactRunning(running: RunningProcess, keepAll: string | undefined, secrets: Secrets): RunningProcess {
  const endings = new Set<() => void>();
  return {
    ...running,
    command: secrets.redact(running.command),
    output: () => secrets.redact(running.output()),
    outputEnds: () => {
      const { begin, end, ...rest } = running.outputEnds();
      return { ...rest, begin: secrets.redact(begin), ...(end !== undefined && { end: secrets.redact(end) }) };
    },
    onOutput: (listener) => {
      const { onOutput, end } = redactListener(listener, secrets);
      const stop = running.onOutput(onOutput);
      endings.add(end);
      return () => {
        stop();
        end();
        endings.delete(end);
      };
    },
    exited: running.exited.then(async (code) => {
      for (const end of endings) end();
      await redactFile(keepAll, secrets);
      return code;
    }),
  };
}

/** Output as it is heard, line by line: what looks like a secret is known by what stands before it. */
function redactListener(listener: (text: string) => void, secrets: Secrets) {
  const stream = createMaskingStream(secrets);
  const tell = (text: string) => (text === '' ? undefined : listener(text));
  return { onOutput: (chunk: string) => tell(stream.push(chunk)), end: () => tell(stream.end()) };
}

/** The whole of a long output, should its terminal have written it as it came. */
async function redactFile(path: string | undefined, secrets: Secrets): Promise<void> {
  const text = path === undefined ? undefined : await readFile(path, 'utf8').catch(() => undefined);
  if (path === undefined || text === undefined) return;
  const clean = secrets.redact(text);
  if (clean === text) return;
  const beside = `${path}.${randomHex(6)}.tmp`;
  try {
    await writeFile(beside, clean, { mode: 0o600 });
    await rename(beside, path);
  } catch {
    // Better no copy than one with a secret in it.
    await Promise.all([rm(beside, { force: true }), rm(path, { force: true })]);
  }
}
