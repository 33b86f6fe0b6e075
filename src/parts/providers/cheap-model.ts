import type { ProviderProfile } from '../../contracts/provider-profile.ts';
import type { Runtime } from '../../contracts/runtime.ts';
import { loadModels } from './models.ts';

/**
 * A cheaper model of the same provider, for work that needs no strong one; `undefined` where none is known to cost less. At another address
 * than the provider's own nobody knows which models there are.
 */
export function findCheapModel(runtime: Runtime, profile: ProviderProfile | undefined): Runtime | undefined {
  if (profile?.cheapModels === undefined || trimSlash(profile.baseUrl) !== trimSlash(runtime.baseUrl)) return undefined;
  const [, model] = Object.entries(profile.cheapModels).find(([prefix]) => runtime.model.startsWith(prefix)) ?? [];
  if (model === undefined || model === runtime.model) return undefined;
  const table = loadModels();
  const [usual, card] = [table.prices(runtime.provider, runtime.model), table.card(runtime.provider, model)];
  const isCheaper = (rate: 'input' | 'output'): boolean => (card?.prices?.[rate] ?? Infinity) < (usual?.[rate] ?? 0);
  if (card === undefined || !isCheaper('input') || !isCheaper('output')) return undefined;
  const { window, maxOutput } = card;
  return { ...runtime, model, limits: { window, ...(maxOutput !== undefined && { maxOutput }) } };
}

const trimSlash = (url: string): string => url.replace(/\/+$/, '');
