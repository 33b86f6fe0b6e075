import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, type Agent } from '../../src/agent/agent.ts';
import { redactAgentMethods, withRedaction } from '../../src/app/host/redaction.ts';
import type { AgentEvent } from '../../src/contracts/event.ts';
import { createTextBlock } from '../../src/contracts/message.ts';
import { scriptedProvider } from '../../src/testing/scripted-provider.ts';
import { RUNTIME, setup } from '../agent/setup.ts';
import { secretsWith } from '../parts/safety/secrets/setup.ts';
import { undecided } from '../parts/safety/secrets/undecided.ts';

const VALUE = 'k9fJ2mQx7Lp0v';
const SECRETS = secretsWith({ MY_KEY: VALUE });

const scene = await setup(scriptedProvider([]));
const real = createAgent(scene.store, scene.deps, RUNTIME);

test('redaction has decided on every method an agent has', () => {
  assert.deepEqual(undecided(real, redactAgentMethods(real, SECRETS)), []);
  const grown = { ...real, whisper: () => VALUE };
  assert.deepEqual(undecided(grown, redactAgentMethods(grown, SECRETS)), ['nobody decided what whisper redacts']);
});

const signal = new AbortController().signal;
const {
  session,
  deps: { provider, routes, price },
} = scene;
const options = { overlay: [createTextBlock(VALUE, 'owner')], title: VALUE };
/** A use of every method, with the secret wherever a text goes in. A method without a row does not compile. */
const USES: { readonly [Method in keyof Required<Agent>]: (agent: Agent) => unknown } = {
  send: (agent) => agent.send(session, { role: 'user', content: [createTextBlock(VALUE, 'owner')] }, signal, options),
  resume: (agent) => agent.resume(session, signal),
  compact: (agent) => agent.compact(session, signal, VALUE),
  tidy: (agent) => agent.tidy(session, signal),
  rewind: (agent) => agent.rewind(session, { turns: 1 }, signal),
  branch: (agent) => agent.branch(session, options),
  post: (agent) => agent.post({ sessionId: session.id, content: [createTextBlock(VALUE, 'owner')], mode: 'queue' }),
  end: (agent) => agent.end(session, 'exit', signal),
  flush: (agent) => agent.flush(session, signal),
  nudge: (agent) => agent.nudge(session, signal),
  measure: (agent) => agent.measure(session),
  shell: (agent) => agent.shell(session, VALUE, signal),
  aside: (agent) => agent.aside(session, VALUE, signal),
  close: (agent) => agent.close(session.id),
  // What comes of it is an agent again, and tells no more than the first.
  withRuntime: (agent) => agent.withRuntime(RUNTIME, { provider, routes, price }).resume(session, signal),
};

/** What comes of a use, word by word. */
async function drained(result: unknown): Promise<string> {
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result)) return JSON.stringify((await result) ?? '');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the agent below gives nothing else that can be iterated
  const events = result as AsyncGenerator<AgentEvent, unknown>;
  const told: unknown[] = [];
  for (;;) {
    const step = await events.next();
    told.push(step.value);
    if (step.done === true) return JSON.stringify(told);
  }
}

test('whatever is asked of it, an agent is told no secret and tells none', async () => {
  const heard: string[] = [];
  const telling = async function* (): AsyncGenerator<AgentEvent, unknown> {
    yield { type: 'notice', text: `here: ${VALUE}` };
    return { text: VALUE };
  };
  const STREAMS: ReadonlySet<PropertyKey> = new Set([
    'send',
    'resume',
    'compact',
    'tidy',
    'rewind',
    'end',
    'flush',
    'nudge',
    'shell',
    'aside',
  ]);
  const leaky: Agent = new Proxy(real, {
    get:
      (_target, key) =>
      (...args: unknown[]): unknown => {
        heard.push(JSON.stringify(args));
        if (STREAMS.has(key)) return telling();
        if (key === 'close') return undefined;
        if (key === 'withRuntime') return leaky;
        return Promise.resolve({ words: VALUE });
      },
    ownKeys: () => [],
  });
  const agent = withRedaction(leaky, SECRETS);
  for (const [name, use] of Object.entries(USES)) {
    const told = await drained(use(agent));
    assert.ok(!told.includes(VALUE), `${name}: ${told}`);
    if (STREAMS.has(name)) assert.match(told, /here: /, name);
  }
  assert.deepEqual(
    heard.filter((args) => args.includes(VALUE)),
    [],
  );
  // The agent on another model was asked for, and then asked.
  assert.equal(heard.length, Object.keys(USES).length + 1);
});
