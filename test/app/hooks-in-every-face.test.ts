import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openHost as openAppHost } from '../../src/app/host/host.ts';
import { withCommands } from '../../src/app/open-host.ts';
import { createFaceBackend } from '../../src/app/terminal-face.ts';
import { resolveHome } from '../../src/base/home.ts';
import { HOOK_KINDS } from '../../src/contracts/hook-catalog.ts';
import type { HookName, HookRegistration } from '../../src/contracts/hooks.ts';
import type { Host } from '../../src/contracts/host.ts';
import type { Registries } from '../../src/contracts/registries.ts';
import { runChatCommand } from '../../src/faces/cli/chat.ts';
import { runDue } from '../../src/faces/cron/ticker.ts';
import { serveAcp } from '../../src/faces/serve/acp/serve.ts';
import { runTerminalFace } from '../../src/faces/tui/face/run.ts';
import type { TerminalHandlers } from '../../src/faces/tui/contract.ts';
import type { ModelRequest } from '../../src/contracts/provider.ts';
import { scriptedProvider, type Script, type ScriptedAnswer } from '../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../src/testing/scripted-route.ts';
import { openCronScene } from '../faces/cron/scene.ts';
import { openScene } from '../faces/gateway/scene.ts';
import { openApiStage } from '../faces/serve/api/stage.ts';
import { folder, never } from './host-scene.ts';
import { lacks } from '../programs.ts';

// A question on the command line waits for what is piped in: nothing is.
closeSync(0);
openSync('/dev/null', 'r');

/** The story that every face tells: a message, one call of a tool, an answer. */
const STORY = ({ messages }: ModelRequest): ScriptedAnswer =>
  messages.at(-1)?.message.role === 'tool' ? { text: 'done' } : { calls: [{ id: 'c1', name: 'todo', input: {} }] };

/** What happens only where a chat, a command or the end of a session is part of the story. */
const ELSEWHERE: ReadonlySet<string> = new Set<HookName>([
  'on_session_finalize',
  'on_session_reset',
  'pre_gateway_dispatch',
  'gateway_platform_event',
  'delivery',
]);
type Counts = Readonly<Record<string, number>>;

/** One hook of every kind that counts, by the session it is told of. */
class HookCounter {
  readonly #told: { readonly hook: string; readonly sessionId: string }[] = [];
  hangUp({ hooks }: Pick<Registries, 'hooks'>): void {
    for (const hook of Object.keys(HOOK_KINDS).filter((name) => !ELSEWHERE.has(name))) {
      const run = ({ sessionId }: { readonly sessionId: string }): void => void this.#told.push({ hook, sessionId });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each only counts
      hooks.add(`count ${hook}`, { hook, owner: 'the test', timeoutMs: 5_000, run } as unknown as HookRegistration);
    }
  }
  counts(isMeant: (sessionId: string) => boolean = () => true): Counts {
    const meant = this.#told.filter(({ sessionId }) => isMeant(sessionId));
    return Object.fromEntries([...Map.groupBy(meant, ({ hook }) => hook)].map(([hook, rows]) => [hook, rows.length]));
  }
  childOf(): string {
    return this.#told.find(({ hook }) => hook === 'subagent_start')?.sessionId ?? assert.fail('no child was told of');
  }
  /** The last thing that is told of a turn. */
  async ended(times = 1): Promise<void> {
    while ((this.counts()['on_session_end'] ?? 0) < times) await sleep(5);
  }
}

const EXPECTED: Counts = {
  on_session_end: 1,
  on_session_start: 1,
  on_stream_delta: 1,
  on_stream_end: 2,
  on_stream_start: 2,
  post_api_request: 2,
  post_llm_call: 1,
  post_tool_call: 1,
  pre_api_request: 2,
  pre_llm_call: 1,
  pre_tool_call: 1,
  transform_tool_result: 1,
  turn_outcome: 1,
};
const { on_session_start: _start, ...GOES_ON } = EXPECTED;

/** A host whose sessions all have the scripted model. */
async function openStoryHost(counter: HookCounter, script: Script = STORY) {
  const root = mkdtempSync(join(folder, 'faces-'));
  const app = await openAppHost({ home: resolveHome({ HERMES_HOME: root }), register: (registries) => counter.hangUp(registries) });
  const model = { provider: scriptedRoute(scriptedProvider(script)), mcp: false, cwd: folder, allowAll: 'test' } as const;
  const openSession: Host['openSession'] = (options) => app.openSession({ ...options, ...model });
  const host = withCommands({ ...app, openSession });
  /** For a face that closes the host it was given. */
  const lent = { ...host, [Symbol.asyncDispose]: async () => {} };
  return { host, lent, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

/** Whatever its face, what a turn does is told as often. */
const FACES: Readonly<Record<string, () => Promise<readonly [counts: Counts, expected: Counts]>>> = {
  'the library': async () => {
    const counter = new HookCounter();
    await using open = await openStoryHost(counter);
    await using session = await open.host.openSession();
    await Array.fromAsync(session.send(await session.message('go'), never));
    await counter.ended();
    return [counter.counts(), EXPECTED];
  },
  'chat -q, and chat --resume after it': async () => {
    const counter = new HookCounter();
    await using open = await openStoryHost(counter);
    const deps = { openHost: async () => open.lent, root: folder };
    assert.equal(await runChatCommand({ query: 'go' }, deps), 0);
    await counter.ended();
    assert.deepEqual(counter.counts(), EXPECTED);
    const [stored] = await open.host.store.list({});
    assert.equal(await runChatCommand({ query: 'again', resume: stored?.id ?? '' }, deps), 0);
    await counter.ended(2);
    const twice = Object.fromEntries(Object.entries(GOES_ON).map(([hook, count]) => [hook, 2 * count]));
    return [counter.counts(), { ...twice, on_session_start: 1 }];
  },
  'a child agent': async () => {
    const counter = new HookCounter();
    const script: Script = (request, index) =>
      index === 0 ? { calls: [{ id: 'd1', name: 'delegate_task', input: { goal: 'do it', toolsets: ['todo'] } }] } : STORY(request);
    await using open = await openStoryHost(counter, script);
    await using session = await open.host.openSession({ toolsets: ['delegation', 'todo'] });
    await Array.fromAsync(session.send(await session.message('go'), never));
    await counter.ended(2);
    const child = counter.childOf();
    return [counter.counts((sessionId) => sessionId === child), { ...GOES_ON, subagent_start: 1, subagent_stop: 1 }];
  },
  'a script that calls a tool': async () => {
    const counter = new HookCounter();
    const code = 'import hermes_tools\nprint(hermes_tools.read_file(path="go.txt"))\n';
    const script: Script = ({ messages }) =>
      messages.at(-1)?.message.role === 'tool' ? { text: 'done' } : { calls: [{ id: 'c1', name: 'execute_code', input: { code } }] };
    writeFileSync(join(folder, 'go.txt'), 'go\n');
    await using open = await openStoryHost(counter, script);
    await using session = await open.host.openSession({ toolsets: ['code_execution', 'file'] });
    await Array.fromAsync(session.send(await session.message('go'), never));
    await counter.ended();
    return [counter.counts(), { ...EXPECTED, pre_tool_call: 2, post_tool_call: 2, transform_tool_result: 2 }];
  },
  'the API': async () => {
    const counter = new HookCounter();
    await using stage = await openApiStage({
      script: STORY,
      host: { register: (registries) => counter.hangUp(registries) },
    });
    const { status } = await stage.ask('/v1/chat/completions', { body: { model: 'any', messages: [{ role: 'user', content: 'go' }] } });
    assert.equal(status, 200);
    await counter.ended();
    return [counter.counts(), EXPECTED];
  },
  'a chat': async () => {
    const counter = new HookCounter();
    await using scene = await openScene({ script: STORY });
    counter.hangUp(scene.host().registries);
    const { server, ann, dm } = scene.stage;
    server.people.say(dm, ann, 'go');
    await scene.until(() => scene.said().includes('done'));
    await counter.ended();
    return [counter.counts(), EXPECTED];
  },
  'a scheduled job': async () => {
    const counter = new HookCounter();
    await using scene = await openCronScene({ script: STORY });
    counter.hangUp(scene.host.registries);
    await scene.add({});
    await runDue(scene.deps, never);
    await counter.ended();
    return [counter.counts(), EXPECTED];
  },
  'a code editor': async () => {
    const counter = new HookCounter();
    await using open = await openStoryHost(counter);
    const [input, output, stop] = [new PassThrough(), new PassThrough(), new AbortController()];
    const serving = serveAcp({
      openHost: async () => open.lent,
      listModels: async () => [],
      allowAll: undefined,
      notice: () => {},
      signal: stop.signal,
      streams: { input, output },
    });
    const lines = readLines(output);
    const ask = async (id: number, method: string, params: object): Promise<Readonly<Record<string, unknown>>> => {
      input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return lines.answer(id);
    };
    await ask(1, 'initialize', { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await ask(2, 'session/new', { cwd: folder, mcpServers: [] });
    await ask(3, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] });
    await counter.ended();
    stop.abort();
    await serving;
    return [counter.counts(), EXPECTED];
  },
  'the terminal UI': async () => {
    const counter = new HookCounter();
    const root = mkdtempSync(join(folder, 'tui-'));
    const home = resolveHome({ HERMES_HOME: root });
    const typed = Promise.withResolvers<TerminalHandlers>();
    const terminal = {
      size: { columns: 80, rows: 24 },
      write: () => {},
      start: typed.resolve,
      stop: async () => {},
      suspend: () => {},
      lend: <Result>(work: () => Promise<Result>): Promise<Result> => work(),
      background: Promise.resolve(undefined),
    };
    const provider = scriptedRoute(scriptedProvider(STORY));
    const running = runTerminalFace(
      { session: { provider, mcp: false, cwd: folder, allowAll: 'test', platform: 'tui' } },
      {
        terminal,
        env: {},
        home,
        version: 'test',
        redact: (text) => text,
        open: async () => ({
          ...createFaceBackend(await openAppHost({ home, register: (registries) => counter.hangUp(registries) })),
          isReady: async () => true,
          describe: async () => ({
            model: 'scripted',
            provider: 'scripted',
            window: 100_000,
            caching: 'off (a test)',
            tools: 1,
            skills: 0,
            backend: 'local',
          }),
        }),
      },
    );
    const handlers = await typed.promise;
    for (const key of ['g', 'o', '\r']) handlers.key(key);
    await counter.ended();
    handlers.leave('SIGTERM');
    await running;
    return [counter.counts(), EXPECTED];
  },
};

/** Answers of the agent by their id. */
function readLines(output: PassThrough) {
  const answers = new Map<number, PromiseWithResolvers<Readonly<Record<string, unknown>>>>();
  const of = (id: number) => {
    const found = answers.get(id) ?? Promise.withResolvers<Readonly<Record<string, unknown>>>();
    answers.set(id, found);
    return found;
  };
  let rest = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as { id?: number; method?: string; result?: Readonly<Record<string, unknown>>; error?: unknown };
      if (message.id === undefined || message.method !== undefined) continue;
      if (message.result === undefined) of(message.id).reject(new Error(line));
      else of(message.id).resolve(message.result);
    }
  });
  return { answer: (id: number) => of(id).promise };
}

for (const [face, tell] of Object.entries(FACES))
  test(`${face}: every hook is told as often as anywhere`, { skip: face.startsWith('a script') && lacks('python3') }, async () => {
    const [counts, expected] = await tell();
    assert.deepEqual(counts, expected);
  });
