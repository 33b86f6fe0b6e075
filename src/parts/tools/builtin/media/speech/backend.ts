import type { MediaResponse, MediaRequest } from '../ask.ts';
import type { MediaService } from '../options.ts';

export type Format = 'mp3' | 'wav' | 'opus';
/** A service that speaks: its wire as pure halves, so that two files can be read side by side. */
export interface SpeechBackend extends MediaService {
  readonly model: string;
  readonly voice: string;
  /** The forms it can give, the usual one first. */
  readonly formats: readonly Format[];
  /** Characters of one request. */
  cap(model: string): number;
  request(ask: SpeechRequest, key: string): MediaRequest;
  /** The sound, or why there is none. */
  read(answer: MediaResponse & { readonly ok: true }): Buffer | string;
}
export interface SpeechRequest {
  readonly text: string;
  readonly voice: string;
  readonly model: string;
  readonly format: Format;
}

/** The body itself is the sound, unless the service answered in words after all. */
export const extractSound = ({ mime, bytes }: MediaResponse & { readonly ok: true }): Buffer | string =>
  mime === 'application/json' || mime.startsWith('text/') ? 'it answered in words instead of sound' : bytes;
