import { createPost } from '../../../src/app/gateway/adapter-offers.ts';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import { urlSettings } from '../../../src/parts/safety/urls/settings.ts';
import { webhook } from '../../../src/platforms/webhook/index.ts';
import type { PlatformFault, PlatformScene } from '../../../src/testing/conformance/platform-scene.ts';
import { createRecords, openListening, SECRET, startReceiver, startSender } from './stage.ts';

const ROUTE = 'notes';
const TARGET = 'alerts';

export const post = createPost({ settings: collectDefaults(urlSettings), root: '/nowhere', env: {}, log: () => {} });

/** The scene of the conformance suite: a service that sends events until they are taken, and one that takes results. */
export async function webhookScene(): Promise<PlatformScene> {
  const opened = new AsyncDisposableStack();
  const listening = opened.use(openListening());
  const receiver = opened.use(await startReceiver(SECRET));
  const sender = opened.use(startSender(() => listening.url(ROUTE), SECRET));
  let count = 0;
  const table: Readonly<Record<PlatformFault['type'], (retryAfterMs: number) => void>> = {
    withhold_answer: () => receiver.next('withhold'),
    unreachable: () => {
      listening.fail('unreachable');
      receiver.always('cut');
    },
    limit: (ms) => receiver.next({ status: 429, headers: { 'retry-after': String(ms / 1_000) } }),
    dead: () => receiver.always({ status: 410 }),
    deaf: () => listening.fail('silent'),
    drop: () => void listening.cut(),
  };
  return {
    kind: webhook,
    settings: {
      secrets: {},
      extra: {
        port: 0,
        probe_ms: 20,
        rate_limit: 10_000,
        routes: { [ROUTE]: { secret: SECRET, scheme: 'standard', prompt: '{text}' } },
        targets: { [TARGET]: { url: receiver.url, secret: SECRET } },
      },
    },
    offers: { listen: listening.listen, records: createRecords(), post },
    chat: { chatId: TARGET },
    personId: ROUTE,
    chatOf: (id) => `${ROUTE}:${id}`,
    say: async (text) => {
      const id = `msg_${++count}`;
      sender.send(id, { type: 'note', text });
      return id;
    },
    // What is sent there is never anybody's own word.
    forward: 'unknown_there',
    visible: async () =>
      receiver.taken.map(({ id, data }) => ({
        messageId: id,
        text: data.file?.name ?? data.text.replaceAll(/\*\*|_(?=\w+_)|(?<=\b\w+)_(?= )|`/g, ''),
      })),
    files: async () =>
      receiver.taken.flatMap(({ data }) =>
        data.file === undefined ? [] : [Uint8Array.from(Buffer.from(data.file.content_base64, 'base64'))],
      ),
    sockets: () => listening.open(),
    fault: (fault) => table[fault.type]('retryAfterMs' in fault ? fault.retryAfterMs : 0),
    mend: () => {
      listening.fail(undefined);
      receiver.always(undefined);
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
