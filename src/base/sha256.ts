let crypto: typeof import('node:crypto') | undefined;

/** Hex sha256. The module behind it is loaded with the first hash: it would be a tenth of the way to the first request. */
export function sha256(value: string | Uint8Array): string {
  crypto ??= process.getBuiltinModule('node:crypto');
  return crypto.hash('sha256', value);
}
