import { isOwnRequest } from '../../agent/attribution.ts';
import { replayCall } from '../../agent/replay.ts';
import type { Provider } from '../../contracts/provider.ts';
import type { ReplayService } from '../../contracts/services/insight.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { windowEngine } from '../../parts/context/window.ts';
import { profileOf } from '../../parts/providers/catalog/all.ts';
import { wireFormats } from '../../parts/providers/wire-format.ts';
import { scriptedProvider } from '../../testing/scripted-provider.ts';

export const replayService = (store: SessionStore): ReplayService => ({
  replay: async (session) => {
    const entries = await store.entries(session.id);
    const encode = offlineEncoder();
    const calls = (await store.calls({ sessionId: session.id })).filter(isOwnRequest);
    return { entries, calls: calls.map((call) => replayCall(call, entries, windowEngine, encode)) };
  },
});

/** The encoding half of the provider, as `connect` wires it: it knows neither keys nor addresses, so none are needed. */
function offlineEncoder(): Provider['encode'] {
  const formatOf = wireFormats(profileOf);
  const scripted = scriptedProvider([]);
  return (request) => (request.runtime.provider === 'scripted' ? scripted.encode(request) : formatOf(request.runtime).encode(request));
}
