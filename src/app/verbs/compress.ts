import { homeAt } from '../../base/home.ts';
import type { OpenSession } from '../../contracts/host.ts';
import { jsonLine } from '../../faces/cli/json-events.ts';
import { progress } from '../../faces/cli/progress.ts';
import type { JsonFlag } from '../../faces/cli/verbs.ts';
import { oneSession } from '../host/store.ts';
import { processStreams, stopSignal } from '../streams.ts';
import { openHost } from '../host/host.ts';

/** Shortens what the model sees of a session now, keeping above all what is named. Exit code 1 when it stays as it is. */
export async function compress(ref: string, topic: string | undefined, flags: JsonFlag): Promise<number> {
  const signal = stopSignal();
  await using host = await openHost({ env: process.env, home: homeAt(process.env) });
  await using session = await host.openSession({ session: oneSession(ref, await host.store.find(ref)) });
  return await tell(session, signal, topic, flags);
}

export async function tell(session: OpenSession, signal: AbortSignal, topic: string | undefined, flags: JsonFlag): Promise<number> {
  const streams = processStreams();
  const show = flags.json === true ? undefined : progress(streams);
  const events = session.compact(signal, topic);
  for (;;) {
    const { value, done } = await events.next();
    if (done === true) {
      return value ? 0 : 1;
    }
    if (flags.json === true) streams.out(jsonLine(value));
    else show?.(value);
  }
}
