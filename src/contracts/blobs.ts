/** Bytes by their hash (SHA-256, hex): files on their way in or out, kept until nobody names them any more. */
export interface Blobs {
  /** Keeps bytes, once however often they come; refused (`undefined`) beyond the bound. */
  put(bytes: Uint8Array): Promise<string>;
  /** Takes over a file; it is gone from where it was. */
  adopt(path: string): Promise<string>;
  /** Where the bytes of a hash lie. */
  path(hash: string): string;
  read(hash: string): Promise<Uint8Array | undefined>;
}
