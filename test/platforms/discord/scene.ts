import { renderPlain } from '../../../src/base/markdown/plain.ts';
import type { AccountSettings } from '../../../src/contracts/platform-adapter.ts';
import { discord } from '../../../src/platforms/discord/index.ts';
import type { PlatformFault, PlatformScene } from '../../../src/testing/conformance/platform-scene.ts';
import type { DiscordServer } from '../../../src/testing/platforms/discord/server.ts';
import { openStage, sayElsewhere } from '../../testing/platforms/discord/stage.ts';

export const settingsFor = (server: DiscordServer, token: string, extra = {}): AccountSettings => ({
  secrets: { token },
  extra: { api_url: server.apiUrl, ...extra },
});

/** Ann and the bot in private, as the suite for all platforms wants it. */
export async function openScene(): Promise<PlatformScene> {
  const { server, bot, ann, direct } = await openStage();
  const ours = () => server.visible(direct).filter(({ author }) => author === bot.user.username);
  const faults = new DisposableStack();
  let active = faults;
  return {
    kind: discord,
    settings: settingsFor(server, bot.token),
    chat: { chatId: direct.id },
    personId: ann.id,
    say: async (text) => server.people.say(direct, ann, text).id,
    reword: async (id, text) => server.people.edit(messageOf(server, id), text),
    sayFile: async (name, bytes) => void server.people.say(direct, ann, { attachments: [toAttachment(name, bytes)] }),
    forward: async (text, file) => {
      const attachments = file === undefined ? [] : [toAttachment(file.name, file.bytes)];
      server.people.say(direct, ann, { forward: sayElsewhere(server, { text, attachments }) });
    },
    press: async (id, value) => void server.people.press(messageOf(server, id), ann, value),
    visible: async () => ours().map(({ id, content }) => ({ messageId: id, text: renderPlain(content) })),
    files: async () => ours().flatMap(({ attachments }) => attachments.map(({ bytes }) => new Uint8Array(bytes))),
    sockets: () => server.gateway.openSockets(),
    fault: (fault) => void active.use(strike(server, fault)),
    mend: () => {
      active.dispose();
      active = new DisposableStack();
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const toAttachment = (filename: string, bytes: Uint8Array) => ({
  filename,
  contentType: 'application/octet-stream',
  bytes: Buffer.from(bytes),
});

function messageOf(server: DiscordServer, id: string) {
  const message = server.message(id);
  if (message === undefined) throw new Error(`There is no message ${id}.`);
  return message;
}

const DEAD = { message: 'Cannot send messages to this user', code: 50007 };

function strike(server: DiscordServer, fault: PlatformFault): Disposable | undefined {
  const send = { at: 'call', method: 'POST', path: /\/messages$/ } as const;
  switch (fault.type) {
    case 'withhold_answer':
      return server.fault({ ...send, times: 1, do: { type: 'withhold', hang: true } });
    case 'limit':
      return server.fault({ ...send, times: 1, do: { type: 'rate_limit', retryAfter: fault.retryAfterMs / 1_000 } });
    case 'dead':
      return server.fault({ ...send, do: { type: 'status', status: 403, body: DEAD } });
    case 'unreachable':
      return server.refuseConnections();
    case 'deaf':
      server.gateway.silence();
      return server.fault({ at: 'connect', do: { type: 'silence' } });
    case 'drop':
      server.gateway.drop();
      return undefined;
  }
}
