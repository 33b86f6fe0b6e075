import type { PluginSource } from '../contracts/plugin-manifest.ts';
import { keepConsent, listGrowth, readConsent, type ConsentStore, type PluginConsent } from './consent.ts';
import { hashContent, stampContent } from './content.ts';
import { findCandidates, rankCandidates, readCandidate, type PluginCandidate, type PluginPlaces } from './discover.ts';
import { toPluginLine } from './words/plugin-words.ts';

/** A plugin the owner agreed to, with the content that was agreed to. */
export interface EnabledPlugin {
  readonly name: string;
  readonly source: PluginSource;
  readonly consent: PluginConsent;
}
/** Whether what lies in a folder is what was agreed to. */
export type ContentVerdict =
  | { readonly type: 'same'; readonly consent: PluginConsent }
  | { readonly type: 'changed'; readonly why: string };

/**
 * Looks at a folder without reading it where its stamp is known. Asked at a start and again before a process is started, so that
 * what runs is what was agreed to.
 */
export function judgeContent(path: string, consent: PluginConsent): ContentVerdict {
  try {
    if (path !== consent.path) return { type: 'changed', why: `it is now in ${path}` };
    const stamp = stampContent(path);
    if (stamp === consent.stamp) return { type: 'same', consent };
    if (hashContent(path) === consent.hash) return { type: 'same', consent: { ...consent, stamp } };
    return { type: 'changed', why: 'its files changed' };
  } catch (error) {
    return { type: 'changed', why: toPluginLine(error) };
  }
}

/** Every plugin that may run. What was enabled and may not is told, with what to type. None of their code runs. */
export async function loadEnabled(
  places: PluginPlaces,
  store: ConsentStore,
  notice: (words: string) => void,
): Promise<readonly EnabledPlugin[]> {
  const { standing } = rankCandidates(findCandidates(places));
  const found: EnabledPlugin[] = [];
  for (const candidate of standing) {
    const consent = await readConsent(candidate.name, store);
    if (consent === undefined) continue;
    const verdict = judgeContent(candidate.path, consent);
    if (verdict.type === 'changed') notice(await describeChange(candidate, consent, verdict.why));
    else {
      if (verdict.consent !== consent) await keepConsent(candidate.name, verdict.consent, store);
      found.push({ name: candidate.name, source: candidate.source, consent: verdict.consent });
    }
  }
  return found;
}

async function describeChange(candidate: PluginCandidate, consent: PluginConsent, why: string): Promise<string> {
  const { name } = candidate;
  const reading = await readCandidate(candidate);
  const growth = reading.ok ? listGrowth(consent.manifest, reading.manifest) : [];
  const more = growth.length === 0 ? '' : ` It also wants more than before: ${growth.join(' ')}`;
  return `The plugin ${name} does not run: ${why} since you enabled it.${more} Look at it, then type: hermes plugins enable ${name}`;
}
