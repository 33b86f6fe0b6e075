import { readPath, isObject, readStringAt } from '../../../../base/json.ts';
import type { SliceValues } from '../../../../contracts/settings.ts';
import type { moaSettings } from './settings.ts';

export interface Preset {
  readonly name: string;
  readonly references: readonly string[];
  readonly aggregator: string;
}
export type PresetResult = { readonly ok: true; readonly preset: Preset } | { readonly ok: false; readonly why: string };

const MAX_REFERENCES = 8;

/** The mixture the owner set up, or what is missing for one. */
export function choosePreset(settings: SliceValues<typeof moaSettings>): PresetResult {
  const presets = settings['moa.presets'];
  const names = Object.keys(presets);
  const named = settings['moa.preset'];
  const name = named !== '' ? named : names.length === 1 ? (names[0] ?? '') : 'default';
  const found = presets[name];
  if (names.length === 0) return { ok: false, why: 'moa.presets is empty' };
  if (!isObject(found)) return { ok: false, why: `there is no moa.presets.${name}; there are: ${names.join(', ')}` };
  const listed = readPath(found, 'reference_models');
  const references = (Array.isArray(listed) ? listed : []).filter((each): each is string => typeof each === 'string' && each !== '');
  const aggregator = readStringAt(found, 'aggregator') ?? '';
  if (references.length === 0 || references.length > MAX_REFERENCES)
    return { ok: false, why: `moa.presets.${name}.reference_models must name 1 to ${MAX_REFERENCES} models` };
  if (aggregator === '') return { ok: false, why: `moa.presets.${name}.aggregator names no model` };
  return { ok: true, preset: { name, references: [...new Set(references)], aggregator } };
}
