import type { Agent } from '../../agent/agent.ts';
import type { Session } from '../../contracts/session-store.ts';
import { jsonLine } from '../../faces/cli/json-events.ts';
import { progress } from '../../faces/cli/progress.ts';
import type { JsonFlag } from '../../faces/cli/verbs.ts';
import { oneSession } from '../store.ts';
import { processStreams, stopSignal } from '../streams.ts';
import { openWorkshop } from '../workshop.ts';

/** Shortens what the model sees of a session now, keeping above all what is named. Exit code 1 when it stays as it is. */
export async function compress(ref: string, topic: string | undefined, flags: JsonFlag): Promise<number> {
  const signal = stopSignal();
  await using workshop = await openWorkshop(process.env);
  const session = oneSession(ref, await workshop.store.find(ref));
  return await tell(await workshop.agent({}, session, session.cwd), session, signal, topic, flags);
}

export async function tell(
  agent: Agent,
  session: Session,
  signal: AbortSignal,
  topic: string | undefined,
  flags: JsonFlag,
): Promise<number> {
  const streams = processStreams();
  const show = flags.json === true ? undefined : progress(streams);
  const events = agent.compact(session, signal, topic);
  for (;;) {
    const { value, done } = await events.next();
    if (done === true) {
      return value ? 0 : 1;
    }
    if (flags.json === true) streams.out(jsonLine(value));
    else show?.(value);
  }
}
