import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { openHost } from '../../src/app/open-host.ts';
import { resolveHome } from '../../src/base/home.ts';
import type { CommandLineOptions, CompletedCommand, Host, SessionHandle, SessionOptions } from '../../src/contracts/host.ts';
import { scriptedProvider, type Script, type ScriptedProvider } from '../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../src/testing/scripted-route.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-slash-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const never = new AbortController().signal;

/** A host with one session, and what is typed into it. */
export interface SlashStage extends AsyncDisposable {
  readonly host: Host;
  readonly session: SessionHandle;
  readonly provider: ScriptedProvider;
  readonly home: string;
  readonly cwd: string;
  say(words: string): Promise<void>;
  type(line: string, more?: Partial<CommandLineOptions>): ReturnType<Host['commands']['run']>;
  /** What came of a command that was carried out. */
  done(line: string, more?: Partial<CommandLineOptions>): Promise<CompletedCommand>;
  notices(): readonly string[];
}

export async function slashStage(script: Script, config = '', options: SessionOptions = {}): Promise<SlashStage> {
  const [home, cwd] = [mkdtempSync(join(folder, 'home-')), mkdtempSync(join(folder, 'work-'))];
  writeFileSync(join(home, 'config.yaml'), config);
  const host = await openHost({ env: { PATH: process.env['PATH'] }, home: resolveHome({ HERMES_HOME: home }) });
  const provider = scriptedProvider(script);
  const session = await host.openSession({
    ...(options.model === undefined && { provider: scriptedRoute(provider) }),
    mcp: false,
    cwd,
    ...options,
  });
  const told: string[] = [];
  const closing = new AbortController();
  const listening = (async () => {
    for await (const { text } of host.notices(closing.signal)) told.push(text);
  })();
  const type: SlashStage['type'] = (line, more = {}) => host.commands.run(line, { place: 'terminal', session, ...more });
  return {
    host,
    session,
    provider,
    home,
    cwd,
    type,
    notices: () => told,
    say: async (words) => void (await Array.fromAsync(session.send(await session.message(words), never))),
    done: async (line, more) => {
      const outcome = await type(line, more);
      return outcome.type === 'done' ? outcome : assert.fail(JSON.stringify(outcome));
    },
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await listening;
      await session[Symbol.asyncDispose]();
      await host[Symbol.asyncDispose]();
    },
  };
}
