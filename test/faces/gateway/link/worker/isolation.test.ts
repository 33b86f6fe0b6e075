import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LINK_TIMES, type PlatformLink } from '../../../../../src/faces/gateway/link/contract.ts';
import { openLink } from '../../../../../src/faces/gateway/link/link.ts';
import { send } from '../link-scene.ts';
import { openEcho, textsOf } from './open-echo.ts';

/** What ends the worker, and what is said then. */
const DEADLY: Readonly<Record<string, RegExp>> = {
  'throw from a timer': /JSON/,
  'reject unheard': /nobody listens/,
  exit: /It exited with code 3\./,
  'eat memory': /memory limit/,
  'block for ever': /It did not answer for 1 s\./,
};
/** What only hurts itself. */
const HARMLESS = ['throw', 'block 2 s', 'leak listeners'] as const;

interface EchoLink extends AsyncDisposable {
  readonly link: PlatformLink;
  readonly log: string[];
  /** Sends a text and waits until it is heard. */
  echo(text: string): Promise<void>;
  /** It was connected so many times. */
  connected(times?: number): Promise<void>;
}
function openEchoLink(name: string, answerMs = 10_000): EchoLink {
  const [heard, log]: [string[], string[]] = [[], []];
  let connections = 0;
  const link = openLink({
    account: { platform: 'echo', account: name },
    openAdapter: () => openEcho({ times: { startMs: 20_000, beatMs: 100, answerMs } }),
    receive: async (batch) => textsOf(batch).forEach((text) => heard.push(text)),
    cursors: async () => [],
    log: (words) => log.push(words),
    onChange: ({ type }) => void (connections += type === 'connected' ? 1 : 0),
    times: { ...LINK_TIMES, waits: [20] },
  });
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await sleep(1);
  };
  return {
    link,
    log,
    connected: (times = 1) => until(() => connections >= times),
    echo: async (text) => {
      assert.deepEqual(await send(link, text), { type: 'sent', messageId: text });
      await until(() => heard.includes(text));
    },
    [Symbol.asyncDispose]: () => Promise.resolve(link[Symbol.asyncDispose]()),
  };
}

describe('a worker that goes wrong hurts nobody else', () => {
  for (const [deed, why] of Object.entries(DEADLY))
    test(`${deed}: it is started again, what it was asked is unknown, and the other platform goes on`, async () => {
      await using faulty = openEchoLink('faulty', deed === 'block for ever' ? 1_000 : 10_000);
      await using other = openEchoLink('other');
      await Promise.all([faulty.connected(), other.connected()]);
      const doomed = send(faulty.link, deed);
      const rounds = await echoUntil(other, faulty.connected(2));
      assert.ok(rounds > 5, `the other platform made ${rounds} rounds`);
      const result = await doomed;
      // Timers and rejections strike after the answer.
      assert.ok(result.type === 'unknown' || /timer|unheard/.test(deed), JSON.stringify(result));
      await faulty.echo('back again');
      assert.match(faulty.log.join('\n'), why);
      assert.deepEqual([faulty.link.state().starts, other.link.state().starts, other.link.state().reconnects], [2, 1, 0]);
    });

  for (const deed of HARMLESS)
    test(`${deed}: the other platform goes on, and so does this one`, async () => {
      const listeners = process.listenerCount('exit');
      await using faulty = openEchoLink('faulty');
      await using other = openEchoLink('other');
      await Promise.all([faulty.connected(), other.connected()]);
      const sending = send(faulty.link, deed);
      const rounds = await echoUntil(other, sending);
      assert.ok(rounds > (deed === 'block 2 s' ? 50 : 0), `the other platform made ${rounds} rounds`);
      const result = await sending;
      assert.equal(result.type, deed === 'throw' ? 'unknown' : 'sent');
      await faulty.echo('still here');
      assert.equal(process.listenerCount('exit'), listeners);
    });
});

/** How often the other platform heard what it said until something happened; at least once. */
async function echoUntil(other: EchoLink, event: Promise<unknown>): Promise<number> {
  const done = { isOver: false, rounds: 0 };
  void event.then(() => (done.isOver = true));
  do await other.echo(`round ${++done.rounds}`);
  while (!done.isOver);
  return done.rounds;
}
