import { parseOrigin } from '../../../base/http.ts';
import type { JsonObject } from '../../../base/json-types.ts';
import type { MemoryProviderOptions } from '../../../contracts/memory-provider.ts';
import { readOwnFile, toText } from './own-file.ts';
import { createServiceClient, type AskService, type ServiceClientOptions } from './service-client.ts';

/** A memory service as data: where it is, and where its key and the address of the owner's own server are written. */
export interface RemoteMemory {
  /** As `memory.provider` and its file call it. */
  readonly name: string;
  readonly label: string;
  readonly keyVariable: string;
  readonly urlVariable: string;
  /** The field of its file that names a server of the owner's. */
  readonly urlField: string;
  /** Where the public service is; absent where there is none. */
  readonly publicUrl?: string;
  /** Where a person gets a key; absent where only the owner's server gives one. */
  readonly keysAt?: string;
  readonly authorize: ServiceClientOptions['authorize'];
}
export type RemoteMemoryOptions = Pick<MemoryProviderOptions, 'home' | 'env' | 'network' | 'reachOwnServer'>;

export interface ServiceConnection {
  /** What its file says; nothing when it cannot be read. */
  readonly values: JsonObject;
  readonly baseUrl: string;
  /** Why it cannot be used, and what to do about it. */
  readonly trouble?: string;
  readonly ask: AskService;
}

/** Reads the file and the keys; asks nobody. The file wins over the variable; `pick` says which of its values count. */
export function readConnection(
  service: RemoteMemory,
  options: RemoteMemoryOptions,
  pick: (values: JsonObject) => JsonObject = (values) => values,
): ServiceConnection {
  const { home, env, network, reachOwnServer } = options;
  const file = readOwnFile(home.root, service.name);
  const values = file.ok ? pick(file.values) : {};
  const own = toText(values[service.urlField]) ?? toText(env[service.urlVariable]);
  const key = toText(env[service.keyVariable]);
  const baseUrl = own ?? service.publicUrl ?? '';
  const trouble = file.ok ? findTrouble(service, own, key) : file.trouble;
  const ask = createServiceClient({
    label: service.label,
    baseUrl,
    keyVariable: service.keyVariable,
    ...(key !== undefined && { key }),
    authorize: service.authorize,
    network: own === undefined ? network : (reachOwnServer?.(own) ?? network),
  });
  return { values, baseUrl, ask, ...(trouble !== undefined && { trouble }) };
}

function findTrouble(
  { name, label, keyVariable, urlVariable, urlField, publicUrl, keysAt }: RemoteMemory,
  own: string | undefined,
  key: string | undefined,
) {
  if (own !== undefined)
    return parseOrigin(own) === ''
      ? `${urlField} in ${name}.json (or ${urlVariable}) is not an address such as http://127.0.0.1:8000.`
      : undefined;
  if (publicUrl === undefined)
    return `${label} needs the address of your server: set ${urlField} in ${name}.json, or ${urlVariable} in .env.`;
  if (key !== undefined) return undefined;
  return `${label} needs a key: get one at ${keysAt} and set ${keyVariable} in .env. For a server of your own, set ${urlField} in ${name}.json.`;
}
