import { slack } from '../../../src/platforms/slack/index.ts';
import type { PlatformFault, PlatformScene } from '../../../src/testing/conformance/platform-scene.ts';
import type { SlackFault } from '../../../src/testing/platforms/slack/faults.ts';
import { openPlace } from '../../testing/slack/place.ts';

export type Place = Awaited<ReturnType<typeof openPlace>>;

export const settingsOf = ({ server, bot }: Pick<Place, 'server' | 'bot'>, extra: Record<string, string | boolean | string[]> = {}) => ({
  secrets: { token: bot.botToken, app_token: bot.app.appToken },
  extra: { api_url: server.apiUrl, ping_interval_ms: 50, ...extra },
});

/** Our words as people read them: without marks, a file as its name. */
function toWords(text: string): string {
  const bare = text.replaceAll(/```\n?|(?<![\p{L}\p{N}])[*_~`](?=\S)|(?<=\S)[*_~`](?![\p{L}\p{N}])/gu, '').replaceAll('\u200B', '');
  return bare.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

export async function openScene(): Promise<PlatformScene> {
  const place = await openPlace({ pingEveryMs: 50 });
  const { server, workspace, bot, ann, ben, direct } = place;
  const faults: Disposable[] = [];
  const ours = () => server.visible(direct).filter((message) => message.bot === bot);
  const post = (fault: SlackFault, times?: number) =>
    server.addFault({ method: 'chat.postMessage', fault, ...(times !== undefined && { times }) });
  const begin = (fault: PlatformFault): Disposable[] => {
    if (fault.type === 'withhold_answer') return [post({ type: 'withhold' }, 1)];
    if (fault.type === 'limit') return [post({ type: 'status', status: 429, retryAfter: fault.retryAfterMs / 1000 }, 1)];
    if (fault.type === 'dead') return [post({ type: 'error', error: 'is_archived' })];
    if (fault.type === 'unreachable') return [server.refuseConnections()];
    if (fault.type === 'deaf') return [server.sockets.deafen(bot.app)];
    server.sockets.drop(bot.app);
    return [];
  };
  return {
    kind: slack,
    settings: settingsOf(place),
    chat: { chatId: direct.id },
    personId: ann.id,
    say: async (text) => server.say(direct, ann, { text }).ts,
    reword: async (id, text) => {
      const message = direct.messages.find(({ ts }) => ts === id);
      if (message !== undefined) server.edit(direct, message, text);
    },
    sayFile: async (name, bytes) => void server.say(direct, ann, { files: [{ name, bytes: Buffer.from(bytes) }] }),
    forward: async (text, file) => {
      const files = file === undefined ? [] : [{ name: file.name, bytes: Buffer.from(file.bytes) }];
      const elsewhere = server.say(server.addChannel(workspace, { name: 'elsewhere', members: [ann, ben] }), ben, { text, files });
      server.say(direct, ann, { share: { message: elsewhere, author: ben } });
    },
    press: async (ts, value) => {
      const button = JSON.stringify(direct.messages.find((message) => message.ts === ts)?.blocks);
      const actionId = new RegExp(`"action_id":"(\\w+)"[^{}]*\\{[^{}]*\\}[^{}]*"value":"${value}"`, 'u').exec(button)?.[1] ?? '';
      void server.press(direct, ann, { ts, actionId });
    },
    visible: async () => ours().map(({ ts, text, files }) => ({ messageId: ts, text: files[0]?.name ?? toWords(text) })),
    files: async () => ours().flatMap(({ files }) => files.map(({ bytes }) => new Uint8Array(bytes ?? []))),
    sockets: () => server.sockets.count(bot.app),
    fault: (fault) => void faults.push(...begin(fault)),
    mend: () => {
      for (const fault of faults.splice(0)) fault[Symbol.dispose]();
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
