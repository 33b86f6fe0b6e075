import { createPost, createRecords } from '../../../src/app/gateway/adapter-offers.ts';
import type { JsonObject } from '../../../src/base/json-types.ts';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import { urlSettings } from '../../../src/parts/safety/urls/settings.ts';
import { webhook } from '../../../src/platforms/webhook/index.ts';
import { signAs, type SignatureScheme } from '../../../src/base/sign-webhook.ts';
import { openListening, type ListeningStage } from '../../platforms/webhook/stage.ts';
import { openScene, type GatewayScene, type GatewaySceneOptions } from './scene.ts';

/** A gateway with webhooks beside its Telegram bot, and whoever calls it. */
export interface WebhookScene extends GatewayScene {
  readonly listening: ListeningStage;
  /** Sends a request to a route, once. */
  post(route: string, body: string, headers: Readonly<Record<string, string>>): Promise<HookAnswer>;
  /** The same, signed. */
  send(route: string, body: object, options?: SendOptions): Promise<HookAnswer>;
}
export interface HookAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}
export interface SendOptions {
  readonly id?: string;
  readonly scheme?: SignatureScheme;
  readonly headers?: Readonly<Record<string, string>>;
}
export interface WebhookSceneOptions extends Omit<GatewaySceneOptions, 'config' | 'more' | 'offers'> {
  /** What stands below `platforms.webhook`. */
  readonly webhook: JsonObject;
}

export const HOOK_SECRET = 'a secret that only the sender knows';

export async function openWebhookScene({ webhook: settings, ...options }: WebhookSceneOptions): Promise<WebhookScene> {
  const listening = openListening();
  const table = { secret: HOOK_SECRET, ...settings, extra: { port: 0, ...(settings['extra'] as JsonObject) } };
  const scene = await openScene({
    ...options,
    // JSON is YAML.
    config: ({ dm }) => `    home_channel: "${dm.id}"\n  webhook: ${JSON.stringify(table)}\n`,
    more: [webhook],
    offers: (host, account, root) => ({
      listen: listening.listen,
      folder: root,
      records: createRecords(account, host.store.gateway),
      post: createPost({ settings: collectDefaults(urlSettings), root, env: {}, log: () => {} }),
    }),
  });
  await scene.until(() => listening.open() === 1);
  const post: WebhookScene['post'] = async (route, body, headers) => {
    const answer = await fetch(listening.url(route) ?? '', { method: 'POST', body, headers });
    const words = await answer.text();
    return { status: answer.status, body: words === '' ? '' : JSON.parse(words), headers: answer.headers };
  };
  let count = 0;
  return {
    ...scene,
    listening,
    post,
    send: (route, content, { id = `delivery-${++count}`, scheme = 'standard', headers = {} } = {}) => {
      const body = JSON.stringify(content);
      return post(route, body, { ...signAs(scheme, { secret: HOOK_SECRET, id, now: Date.now(), body }), ...headers });
    },
    [Symbol.asyncDispose]: async () => {
      await scene[Symbol.asyncDispose]();
      await listening[Symbol.asyncDispose]();
    },
  };
}
