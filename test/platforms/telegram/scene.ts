import type { AdapterOptions, PlatformAdapter } from '../../../src/contracts/platform-adapter.ts';
import type { JsonObject } from '../../../src/base/json-types.ts';
import { telegram } from '../../../src/platforms/telegram/index.ts';
import type { PlatformFault, PlatformScene } from '../../../src/testing/conformance/platform-scene.ts';
import type { TelegramFault } from '../../../src/testing/platforms/telegram/index.ts';
import { telegramStage, type TelegramStage } from '../../testing/platforms/telegram/stage.ts';

export const settingsFor = ({ server, bot }: TelegramStage, extra: JsonObject = {}): AdapterOptions['settings'] => ({
  secrets: { token: bot.token, webhook_secret: 'hook_secret' },
  extra: { base_url: server.baseUrl, poll_seconds: 20, ...extra },
});

export const openFor = (stage: TelegramStage, extra: JsonObject = {}, more: Partial<AdapterOptions> = {}): Promise<PlatformAdapter> =>
  telegram.open({ settings: settingsFor(stage, extra), log: () => {}, ...more });

/** The scene of the conformance suite, played by the Telegram server for tests. */
export async function telegramScene(): Promise<PlatformScene> {
  const stage = await telegramStage();
  const { server, bot, ann, dm } = stage;
  const { people, log } = server;
  const faults: Disposable[] = [];
  const ours = () => log.visible(dm).filter(({ from }) => from === bot.id);
  const meet = (fault: TelegramFault) => void faults.push(server.inject(fault));
  const table: Readonly<Record<PlatformFault['type'], (retryAfterMs: number) => void>> = {
    withhold_answer: () => meet({ fault: { type: 'withhold', ending: 'silence' }, methods: ['send'], times: 1 }),
    unreachable: () => meet({ fault: { type: 'cut' } }),
    limit: (ms) => meet({ fault: { type: 'rate_limit', retryAfter: ms / 1000 }, methods: ['send'], times: 1 }),
    dead: () => people.shutOut(dm, bot),
    deaf: () => meet({ fault: { type: 'black_hole' }, methods: ['getUpdates'] }),
    drop: () => server.hangUp(bot.token),
  };
  return {
    kind: telegram,
    settings: settingsFor(stage),
    chat: { chatId: String(dm.id) },
    personId: String(ann.id),
    say: async (text) => String(people.say(dm, ann, text)),
    reword: async (id, text) => void people.say(dm, ann, { text, edit: Number(id) }),
    sayFile: async (name, bytes) => void people.say(dm, ann, { document: { name, bytes } }),
    forward: async (text, file) => {
      const author = people.addUser('Mallory');
      people.say(dm, ann, { text, forwarded: author, ...(file !== undefined && { document: file }) });
    },
    press: async (id, value) => {
      const label = value === 'q1:yes' ? 'Yes' : 'No';
      people.press(dm, ann, Number(id), label);
    },
    visible: async () => ours().map(({ id, text, media }) => ({ messageId: String(id), text: media?.name ?? text })),
    files: async () => ours().flatMap(({ media }) => (media === undefined ? [] : [Uint8Array.from(media.bytes)])),
    sockets: () => server.sockets(bot.token).polling,
    fault: (fault) => table[fault.type]('retryAfterMs' in fault ? fault.retryAfterMs : 0),
    mend: () => {
      for (const fault of faults.splice(0)) fault[Symbol.dispose]();
      people.shutOut(dm, bot, false);
    },
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}
