import type { AgentContext, ClientCapabilities, TerminalHandle } from '@agentclientprotocol/sdk';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EditorPort, EditorProgram, EditorProgramResult } from '../../../contracts/ports.ts';

export interface EditorDeps {
  readonly client: AgentContext;
  readonly capabilities: ClientCapabilities;
  readonly sessionId: () => string;
  /** A terminal was opened for this command: whoever draws its call shows it. */
  opened(command: string, terminalId: string): void;
}

/** What the client lends, by its capabilities; nothing when it lends nothing. */
export function createEditorPort({ client, capabilities, sessionId, opened }: EditorDeps): EditorPort {
  const { fs, terminal } = capabilities;
  return {
    ...(fs?.readTextFile === true && {
      readText: async (path, signal) => {
        const { content } = await client.request('fs/read_text_file', { sessionId: sessionId(), path }, cancelBy(signal));
        return content;
      },
    }),
    ...(fs?.writeTextFile === true && {
      writeText: async (path, content, signal) => {
        await client.request('fs/write_text_file', { sessionId: sessionId(), path, content }, cancelBy(signal));
      },
    }),
    ...(terminal === true && {
      runProgram: async (program, signal) => {
        const { file, args, cwd, env } = program;
        const handle = await client.createTerminal(
          {
            sessionId: sessionId(),
            command: file,
            args: [...args],
            cwd,
            env: Object.entries(env).map(([name, value]) => ({ name, value })),
            outputByteLimit: MAX_OUTPUT_BYTES,
          },
          cancelBy(signal),
        );
        opened(program.command, handle.id);
        try {
          return await follow(handle, program, signal);
        } finally {
          // A client that has gone has released it already.
          void handle.release().catch(() => {});
        }
      },
    }),
  };
}

const cancelBy = (signal: AbortSignal) => ({ cancellationSignal: signal, stopWaitingOnCancel: true });

/** Longer output is cut by the client, which keeps the end. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
const POLL_MS = 250;
/** How long a client that was told to kill may take to say what there was: an interrupt must be through within 250 ms. */
const FAREWELL_MS = 120;

/** The client does not tell of output, so it is asked now and then until the program has ended. */
async function follow(handle: TerminalHandle, program: EditorProgram, signal: AbortSignal): Promise<EditorProgramResult> {
  const over = new AbortController();
  const stopped = Promise.withResolvers<undefined>();
  const stop = (): void => stopped.resolve(undefined);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const polling = poll(handle, program, over.signal);
  try {
    const exit = await Promise.race([handle.waitForExit(), stopped.promise]);
    if (exit === undefined) return await kill(handle);
    const { output, truncated } = await handle.currentOutput();
    return { exitCode: exit.exitCode ?? null, output, truncated };
  } finally {
    signal.removeEventListener('abort', stop);
    over.abort();
    await polling;
  }
}

async function kill(handle: TerminalHandle): Promise<EditorProgramResult> {
  const said = handle
    .kill()
    .then(() => handle.currentOutput())
    .catch(() => undefined);
  const last = await Promise.race([said, sleep(FAREWELL_MS, undefined)]);
  return { exitCode: null, output: last?.output ?? '', truncated: last?.truncated ?? false };
}

async function poll(handle: TerminalHandle, { onOutput }: EditorProgram, signal: AbortSignal): Promise<void> {
  let heard = '';
  for (;;) {
    if (await sleep(POLL_MS, false, { signal }).catch(() => true)) return;
    const output = (await handle.currentOutput().catch(() => undefined))?.output ?? heard;
    if (signal.aborted) return;
    // What was cut from its beginning cannot be told apart from what is new: the result has all there is.
    if (output.startsWith(heard) && output !== heard) onOutput(output.slice(heard.length));
    heard = output;
  }
}
