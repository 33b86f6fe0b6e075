import { isOwnRequest } from '../../agent/attribution.ts';
import { replayCall } from '../../agent/replay.ts';
import type { Provider } from '../../contracts/provider.ts';
import type { ReplayService } from '../../contracts/services/insight.ts';
import type { RegistrySnapshot } from '../../contracts/registries.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { windowEngine } from '../../parts/context/window.ts';
import { createWireFormats } from '../../parts/providers/wire-format.ts';
import { scriptedProvider } from '../../testing/scripted-provider.ts';

export const createReplayService = (store: SessionStore, { registered }: Pick<ServiceOptions, 'registered'>): ReplayService => ({
  replay: async (session) => {
    const entries = await store.entries(session.id);
    const encode = offlineEncoder(registered.providers);
    const calls = (await store.calls({ sessionId: session.id })).filter(isOwnRequest);
    return { entries, calls: calls.map((call) => replayCall(call, entries, windowEngine, encode)) };
  },
});

/** The encoding half of the provider, as `connect` wires it: it knows neither keys nor addresses, so none are needed. */
function offlineEncoder(providers: RegistrySnapshot['providers']): Provider['encode'] {
  const formatOf = createWireFormats((name) => providers.get(name));
  const scripted = scriptedProvider([]);
  return (request) => (request.runtime.provider === 'scripted' ? scripted.encode(request) : formatOf(request.runtime).encode(request));
}
