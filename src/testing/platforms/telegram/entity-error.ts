/** Marks that Telegram refuses, worded as Telegram words it. */
export class EntityError extends Error {
  override readonly name = 'EntityError';
}

/** Telegram counts the places of its complaints in bytes. */
export const byteOffset = (source: string, at: number): number => Buffer.byteLength(source.slice(0, at));
