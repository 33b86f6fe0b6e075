import type { Json } from '../../../../../base/json-types.ts';

/** A service that searches the web or reads pages: its wire as pure halves, so that two files can be read side by side. */
export interface Backend {
  readonly name: string;
  readonly label: string;
  /** Variables its key may stand in, the first that is set counts; none where no key is needed. */
  readonly keys: readonly string[];
  /** Where it is; empty where only the owner can know. */
  readonly base: string;
  /** A variable that names another address, for those that can be self-hosted. */
  readonly baseVariable?: string;
  readonly search?: SearchWire;
  readonly extract?: ExtractWire;
  /** What a status means here when it means something special. */
  readonly statuses?: Readonly<Record<number, string>>;
}
export interface SearchWire {
  /** Results one request can give, and how many requests may be made one after the other. */
  readonly perRequest: number;
  readonly pages: number;
  request(ask: WebSearchRequest, key: string): BackendRequest;
  /** `undefined` when the answer is not of the documented shape. */
  read(answer: Json): readonly WebHit[] | undefined;
}
export interface ExtractWire {
  request(url: string, key: string): BackendRequest;
  read(answer: Json): ExtractResult | undefined;
}

export interface WebSearchRequest {
  readonly query: string;
  /** Results wanted of this request. */
  readonly limit: number;
  /** 0 for the first. */
  readonly page: number;
}
export interface WebHit {
  readonly title: string;
  readonly url: string;
  readonly description: string;
}
export type ExtractResult =
  | { readonly ok: true; readonly title: string; readonly text: string }
  | { readonly ok: false; readonly reason: string };
export interface BackendRequest {
  readonly method: 'GET' | 'POST';
  /** Begins with a slash; may carry a query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Json;
}
