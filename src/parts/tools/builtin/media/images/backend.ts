import type { Json } from '../../../../../base/json-types.ts';
import type { MediaRequest } from '../ask.ts';
import type { MediaService } from '../options.ts';

export type ImageAspect = 'landscape' | 'square' | 'portrait';
/** A service that makes pictures: its wire as pure halves, so that two files can be read side by side. */
export interface ImageBackend extends MediaService {
  /** The model it takes when the owner names none. */
  readonly model: string;
  request(ask: ImageRequest, key: string): MediaRequest;
  /** `undefined` when there is no picture in the answer. */
  read(answer: Json): Picture | undefined;
}
export interface ImageRequest {
  readonly prompt: string;
  readonly aspect: ImageAspect;
  readonly model: string;
}
/** base64 of the picture, or where it lies. */
export type Picture = { readonly data: string } | { readonly url: string };

export const RATIOS: Readonly<Record<ImageAspect, string>> = { landscape: '16:9', square: '1:1', portrait: '9:16' };

/** A `data:` URL is the picture itself. */
export function parsePictureUrl(url: string | undefined): Picture | undefined {
  const data = /^data:[^,]*;base64,(.+)$/s.exec(url ?? '')?.[1];
  if (data !== undefined) return { data };
  return url === undefined || !/^https?:/i.test(url) ? undefined : { url };
}
