/** Bytes by their hash (SHA-256, hex): files on their way in or out. */
export interface Blobs {
  /** Keeps bytes, once however often they come; gives their hash. */
  put(bytes: Uint8Array): Promise<string>;
  /** Takes over a file of this machine; it is gone from where it was. Gives its hash. */
  adopt(path: string): Promise<string>;
  /** Where the bytes of a hash lie. */
  path(hash: string): string;
  read(hash: string): Promise<Uint8Array | undefined>;
  /** Removes what is older than this and not named; gives how many. */
  sweep(maxAgeMs: number, isNamed: (hash: string) => boolean): Promise<number>;
}
