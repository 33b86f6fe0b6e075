import type { Socket } from 'node:net';

/** What this process may reach over the network on behalf of a model. Everything private is out of reach unless the owner says otherwise. */
export interface NetworkAccess {
  /** Judges an address by its spelling and by what its name resolves to now. */
  check(url: string, signal: AbortSignal): Promise<NetworkAccessVerdict>;
  /** Fetches through the judgement: the address that was judged is the one connected to, and every redirect is judged anew. */
  fetch(ask: FetchRequest): Promise<FetchResult>;
}
export type NetworkAccessVerdict =
  | { readonly allow: true; readonly url: string; readonly addresses: readonly string[] }
  | { readonly allow: false; readonly reason: string };

export type FetchMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export interface FetchRequest {
  readonly url: string;
  readonly method?: FetchMethod;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** `false`: a redirect is the answer. */
  readonly followRedirects?: boolean;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Longer bodies are cut off and marked. */
  readonly maxBytes: number;
}
export type FetchResult =
  | {
      readonly ok: true;
      /** Where the redirects ended. */
      readonly url: string;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Buffer;
      readonly cut: boolean;
    }
  | { readonly ok: false; readonly reason: string; /** It was our judgement, not the network. */ readonly refused: boolean };

/** Ways out for connections that commands make, judged as those of our own tools are. */
export interface OutboundRoutes {
  /** Why a host is out of reach by its name or address alone; nothing is looked up for it. */
  findObjection(target: OutboundTarget): string | undefined;
  /** Looks the name up, judges every address and connects to one that was judged. Throws an `OutboundRefusal` for our own no. */
  connect(target: OutboundTarget, signal: AbortSignal): Promise<Socket>;
}
export interface OutboundTarget {
  /** Lower-case, without brackets and without a dot at its end. */
  readonly host: string;
  readonly port: number;
  /** The owner named this host: it may lie in a private network, though not on this machine. */
  readonly named: boolean;
}
/** We do not connect there; its words say why. */
export class OutboundRefusal extends Error {
  override readonly name = 'OutboundRefusal';
}
