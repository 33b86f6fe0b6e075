import { setTimeout as sleep } from 'node:timers/promises';
import { openSlackServer, type SlackServerOptions } from '../../../src/testing/platforms/slack/server.ts';

/** A workspace with one bot, two people, a channel and a direct chat. */
export async function openPlace(options: SlackServerOptions = {}) {
  const server = await openSlackServer({ pingEveryMs: 100, ...options });
  const workspace = server.addWorkspace();
  const bot = server.install(workspace);
  const ann = server.addUser(workspace, 'ann');
  const ben = server.addUser(workspace, 'ben');
  const general = server.addChannel(workspace, { name: 'general', members: [bot, ann, ben] });
  const direct = server.openDirect(bot, ann);
  return { server, workspace, bot, ann, ben, general, direct, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Waits until it is so; a test that waits in vain ends by the runner's own limit. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(5);
}
