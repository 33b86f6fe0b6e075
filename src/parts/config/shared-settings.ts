import { isMap, isScalar, parseDocument, visit } from 'yaml';
import { isSecretName } from '../../base/secret-names.ts';

/** A settings file as another profile, or somebody else, may have it. */
export interface SharedSettings {
  readonly text: string;
  /** Keys that were left out. */
  readonly removed: readonly string[];
}

/** A settings file without some of its sections and, where asked, without values whose names say that they are secrets; comments stay. */
export function toSharedSettings(text: string, sections: readonly string[], withSecrets: boolean): SharedSettings {
  const document = parseDocument(text);
  if (document.errors.length > 0 || !isMap(document.contents)) return { text: withSecrets ? text : '', removed: [] };
  const removed = sections.filter((name) => document.delete(name));
  if (!withSecrets)
    visit(document, {
      Pair: (_index, { key, value }) => {
        if (!isScalar(key) || !isScalar(value) || typeof value.value !== 'string') return undefined;
        if (!isSecret(String(key.value)) || /^\$\{[^}]+\}$/.test(value.value)) return undefined;
        removed.push(String(key.value));
        return visit.REMOVE;
      },
    });
  const isEmpty = isMap(document.contents) && document.contents.items.length === 0;
  return { text: isEmpty ? '' : document.toString({ lineWidth: 0, flowCollectionPadding: false }), removed };
}

const isSecret = (key: string): boolean => isSecretName(key) || /^(?:api_?key|authorization|cookie|password|secret|token)$/i.test(key);
