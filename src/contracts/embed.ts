/**
 * Turns texts into vectors by which likeness of meaning is told. Gives one vector for each text, in their order, all of one
 * length. Never throws for a remote failure; what failed is told in words that hold no key.
 */
export type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<EmbedResult>;

export type EmbedResult =
  | { readonly ok: true; readonly vectors: readonly (readonly number[])[] }
  | { readonly ok: false; readonly why: string };
