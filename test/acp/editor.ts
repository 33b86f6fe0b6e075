import type { ClientApp } from '@agentclientprotocol/sdk';
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/** An editor with files open and terminals of its own: real files, real processes. */
export interface TestEditor {
  /** Texts that are not saved, by path. */
  readonly unsaved: Map<string, string>;
  /** Paths it was asked for, in order. */
  readonly asked: string[];
  readonly killed: string[];
  /** From now on it answers neither that a command was ended nor how, until what this gives is called. */
  keepSilent(): () => void;
  /** Terminals that were not released. */
  open(): number;
  handle(app: ClientApp): void;
}
interface OpenTerminal {
  readonly child: ChildProcess;
  readonly exit: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
  output: string;
}

/** `saves: false` answers that a file was written, and does nothing. */
export function createTestEditor({ saves = true }: { readonly saves?: boolean } = {}): TestEditor {
  const unsaved = new Map<string, string>();
  const asked: string[] = [];
  const killed: string[] = [];
  const terminals = new Map<string, OpenTerminal>();
  let made = 0;
  let spoken: Promise<void> | undefined;
  const find = (id: string): OpenTerminal => {
    const terminal = terminals.get(id);
    if (terminal === undefined) throw new Error(`no terminal ${id}`);
    return terminal;
  };
  const handle = (app: ClientApp): void => {
    app
      .onRequest('fs/read_text_file', ({ params: { path } }) => {
        asked.push(`read ${path}`);
        return { content: unsaved.get(path) ?? readFileSync(path, 'utf8') };
      })
      .onRequest('fs/write_text_file', ({ params: { path, content } }) => {
        asked.push(`write ${path}`);
        unsaved.delete(path);
        if (saves) writeFileSync(path, content);
        return {};
      })
      .onRequest('terminal/create', ({ params: { command, args = [], cwd, env = [] } }) => {
        const id = `terminal-${++made}`;
        const child = spawn(command, args, {
          cwd: cwd ?? '/',
          env: { ...process.env, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) },
          detached: true,
        });
        const terminal: OpenTerminal = {
          child,
          output: '',
          exit: new Promise((done) => child.once('close', (exitCode, signal) => done({ exitCode, signal }))),
        };
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding('utf8').on('data', (text: string) => (terminal.output += text));
        terminals.set(id, terminal);
        return { terminalId: id };
      })
      .onRequest('terminal/output', ({ params: { terminalId } }) => ({ output: find(terminalId).output, truncated: false }))
      .onRequest('terminal/wait_for_exit', async ({ params: { terminalId } }) => {
        const exit = await find(terminalId).exit;
        await spoken;
        return exit;
      })
      .onRequest('terminal/kill', async ({ params: { terminalId } }) => {
        killed.push(terminalId);
        const { pid } = find(terminalId).child;
        if (pid !== undefined) process.kill(-pid, 'SIGKILL');
        await spoken;
        return {};
      })
      .onRequest('terminal/release', ({ params: { terminalId } }) => {
        terminals.delete(terminalId);
        return {};
      });
  };
  const keepSilent = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    spoken = promise;
    return resolve;
  };
  return { unsaved, asked, killed, keepSilent, open: () => terminals.size, handle };
}
