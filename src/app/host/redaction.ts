import type { Agent } from '../../agent/agent.ts';
import { resolveHome } from '../../base/home.ts';
import type { AgentEvent } from '../../contracts/event.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import { redactEvents } from '../../parts/safety/secrets/events.ts';
import { openSecrets } from './secrets.ts';
import type { Env } from '../../base/env.ts';

const opened = new WeakMap<Env, Map<string, Secrets>>();

/** The secrets of a home and of an environment. One for all who ask, so that what one of them learns all of them keep. */
export function loadSharedSecrets(processEnv: Env, home = resolveHome(processEnv)): Secrets {
  const byHome = opened.get(processEnv) ?? new Map<string, Secrets>();
  opened.set(processEnv, byHome);
  const secrets = byHome.get(home.root) ?? openSecrets(home, processEnv);
  byHome.set(home.root, secrets);
  return secrets;
}

/** The secrets as tools get them: whether what only looks like one is masked is decided at the start and not again. */
export const withToolMasking = (secrets: Secrets, strict: boolean): Secrets =>
  strict ? secrets : { ...secrets, mask: secrets.redactOutput };

/** An agent that is told no secret and tells none. */
export const withRedaction = <Kind extends Agent>(agent: Kind, secrets: Secrets): Kind => ({
  ...agent,
  ...redactAgentMethods(agent, secrets),
});

/** Every method of an agent, decided on. `Required` makes the compiler ask about each the contract gains, also an optional one. */
export function redactAgentMethods(agent: Agent, secrets: Secrets): Required<Agent> {
  const told = <Result>(events: AsyncGenerator<AgentEvent, Result>) => redactEvents(events, secrets);
  const clean = secrets.redactAll;
  return {
    send: (session, message, signal, options) => told(agent.send(session, clean(message), signal, clean(options))),
    resume: (session, signal) => told(agent.resume(session, signal)),
    compact: (session, signal, focus) => told(agent.compact(session, signal, clean(focus))),
    tidy: (session, signal) => told(agent.tidy(session, signal)),
    rewind: (session, target, signal) => told(agent.rewind(session, target, signal)),
    branch: async (session, options) => clean(await agent.branch(session, clean(options))),
    post: async (item) => clean(await agent.post(clean(item))),
    end: (session, reason, signal) => told(agent.end(session, reason, signal)),
    flush: (session, signal) => told(agent.flush(session, signal)),
    nudge: (session, signal) => told(agent.nudge(session, signal)),
    measure: async (session) => clean(await agent.measure(session)),
    shell: (session, command, signal) => told(agent.shell(session, clean(command), signal)),
    aside: (session, question, signal) => told(agent.aside(session, clean(question), signal)),
    close: (sessionId) => agent.close(sessionId),
    withRuntime: (runtime, connection) => redactAgentMethods(agent.withRuntime(runtime, connection), secrets),
  };
}
