import type { Provider } from '../contracts/provider.ts';
import type { Runtime } from '../contracts/runtime.ts';
import type { ProviderRoute } from '../contracts/host.ts';

/** A route that leads nowhere: the scripted model needs none. */
export const SCRIPTED: Runtime = {
  provider: 'scripted',
  model: 'scripted',
  baseUrl: 'none:',
  protocol: 'openai-chat',
  credential: 'none',
  limits: { window: 200_000 },
};

/** A provider of your own as a host takes it: asked directly, with no other route to go to. */
export const scriptedRoute = (provider: Provider, runtime: Partial<Runtime> = {}): ProviderRoute => ({
  runtime: { ...SCRIPTED, ...runtime },
  provider,
  routes: {
    refresh: async () => false,
    rotate: async () => undefined,
    fallback: async () => undefined,
    learnt: async () => ({}),
    learn: async () => {},
  },
  price: () => undefined,
});
