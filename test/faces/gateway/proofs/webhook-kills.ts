import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECRET, startReceiver, startSender } from '../../../platforms/webhook/stage.ts';
import { openGatewayHome, type GatewayProcess } from '../kill/home.ts';
import { findFreePort } from '../../../free-port.ts';

/** What a sender and a receiver say of one event, when the gateway died on the way. */
export interface WebhookKill {
  /** The moment it died at, in words; nothing when that was not reached. */
  readonly at: string;
  /** Results with an id of their own that the receiver took for the event: one is right. */
  readonly results: number;
  /** Requests that brought them: more than one is a repeat under the same id. */
  readonly requests: number;
  /** What its sender heard in the end: 202 for one that was taken then, 200 for one that was known. */
  readonly heard: number | undefined;
  /** Sessions that the event began. */
  readonly sessions: number;
}
export interface WebhookKills {
  /** Every moment between the request of a sender and the result, in order. */
  readonly moments: readonly string[];
  readonly kills: readonly WebhookKill[];
  readonly faults: readonly string[];
}

/** Sends one event after another to a gateway that is killed at a chosen moment of each, and started again. */
export async function runWebhookKills(choose: (moments: readonly string[]) => readonly number[]): Promise<WebhookKills> {
  await using receiver = await startReceiver(SECRET);
  const port = await findFreePort();
  const routes = { jobs: { scheme: 'standard', prompt: 'Do {text}', deliver: 'webhook:done' } };
  const extra = { port, rate_limit: 10_000, routes, targets: { done: { url: receiver.url, secret: SECRET } } };
  await using home = await openGatewayHome({
    stages: [],
    answer: () => ({ text: 'Done.' }),
    config: { platforms: { webhook: { secret: SECRET, extra } } },
  });
  await using sender = startSender(() => `http://127.0.0.1:${port}/webhooks/jobs`, SECRET);
  const [log, from] = [join(home.root, 'moments'), join(home.root, 'begun')];
  const readMoments = (): string[] => readFileSync(log, 'utf8').split('\n').slice(0, -1);
  const round = async (id: string, at?: number): Promise<WebhookKill> => {
    writeFileSync(log, '');
    rmSync(from, { force: true });
    let gateway: GatewayProcess = home.start({ log, from, ...(at !== undefined && { at }) });
    await gateway.ready;
    await untilHeard(port);
    writeFileSync(from, '');
    sender.send(id, { text: id });
    let died = '';
    const before = receiver.requests.length;
    const isTaken = (): boolean => receiver.taken.some(({ data }) => data.reply_to === id);
    const isHeard = (): boolean => [200, 202].includes(sender.answers.get(id) ?? 0);
    // Written down as sent: nothing more will come of it.
    while (!isTaken() || !isHeard() || !(await isSent(home, id))) {
      if (gateway.isOver) {
        died = readMoments().at(-1) ?? '';
        gateway = home.start();
      }
      // Looking into the store opens a host.
      await sleep(isTaken() ? 200 : 20);
    }
    await gateway.stop();
    const sessions = await home.look(
      async ({ store }) => (await store.gateway.routes({ platform: 'webhook' })).filter(({ key }) => key.endsWith(`%3A${id}`)).length,
    );
    const results = receiver.taken.filter(({ data }) => data.reply_to === id).length;
    return { at: died, heard: sender.answers.get(id), results, requests: receiver.requests.length - before, sessions };
  };
  const kills = [await round('event-0')];
  const moments = readMoments();
  for (const at of choose(moments)) kills.push(await round(`event-${kills.length}`, at));
  const faults = kills.flatMap(({ at, results, requests, sessions }, index) =>
    results === 1 && sessions === 1 && requests <= 2
      ? []
      : [`event-${index} (killed ${at}): ${results} results by ${requests} requests, ${sessions} sessions`],
  );
  return { moments, kills: kills.slice(1), faults };
}

type Home = Awaited<ReturnType<typeof openGatewayHome>>;
/** The result of an event is written down as sent. */
const isSent = (home: Home, id: string): Promise<boolean> =>
  home.look(async ({ store }) =>
    (await store.gateway.deliveries({ platform: 'webhook', states: ['sent'] })).some(({ replyTo }) => replyTo === id),
  );
async function untilHeard(port: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
    if (answer?.ok === true) return;
    await sleep(10);
  }
}
