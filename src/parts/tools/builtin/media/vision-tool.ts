import { parseHost } from '../../../../base/http.ts';
import type { ImageBlock } from '../../../../contracts/message.ts';
import type { Ports } from '../../../../contracts/ports.ts';
import { ToolFailure, type Tool, type ToolContext, type ToolOutput } from '../../../../contracts/tool.ts';
import { toPathResource, type PathResolution } from '../files/locate.ts';
import { detectPictureKind } from './kinds.ts';
import { isElsewhere, loadPicture, withoutScheme, type LoadedMedia } from './load.ts';
import type { MediaOptions, PathGuard } from './options.ts';
import { askAboutImage } from './sight.ts';

export interface VisionInput {
  readonly image_url: string;
  readonly question: string;
  readonly region?: readonly number[];
}
/** Cuts a piece out of a picture; `undefined` when there is nothing here that can. */
export type CropImage = (ask: CropRequest) => Promise<Buffer | undefined>;
export interface CropRequest {
  readonly bytes: Buffer;
  readonly mime: string;
  /** x, y, width, height in pixels of the picture. */
  readonly region: readonly [number, number, number, number];
  readonly signal: AbortSignal;
}
export interface VisionOptions extends Pick<MediaOptions, 'reach'>, PathResolution {
  readonly ports: Ports;
  readonly guard: PathGuard;
  /** The main model sees pictures itself: they go into the result. */
  readonly native?: boolean;
  readonly crop?: CropImage;
}

export const visionAnalyzeTool = (options: VisionOptions): Tool<VisionInput> => ({
  name: 'vision_analyze',
  description: 'Answer a question about an image.',
  input: {
    type: 'object',
    properties: {
      image_url: { type: 'string', description: 'URL, path or data:' },
      question: { type: 'string' },
      region: { type: 'array', items: { type: 'integer' }, maxItems: 4, description: 'x, y, width, height' },
    },
    required: ['image_url', 'question'],
    additionalProperties: false,
  },
  effects: ({ image_url: given }) => ({
    kind: 'read',
    resources: [isElsewhere(given) ? 'web' : toPathResource(withoutScheme(given), options)],
  }),
  reaches: ({ image_url: given }) => (/^\s*https?:/i.test(given) ? [given] : []),
  replay: 'safe',
  idempotent: true,
  trust: 'tool',
  timeoutMs: 180_000,
  maxResult: 100_000,
  available: () => options.native === true || options.ports.see !== undefined,
  needs: 'A model that can see (auxiliary.vision).',
  run: (input, context) => look(input, context, options),
});

async function look(
  { image_url: given, question, region }: VisionInput,
  context: ToolContext,
  options: VisionOptions,
): Promise<ToolOutput> {
  const loaded = await loadPicture(given.trim(), context, options);
  const piece = region === undefined ? { ...loaded, note: '' } : await cut(loaded, region, options, context.signal);
  const kind = detectPictureKind(piece.bytes);
  if (kind === undefined) throw new ToolFailure(`${loaded.shown} is not a PNG, JPEG, WebP or GIF, whatever its name says.`);
  const image: ImageBlock = { type: 'image', mime: kind.mime, data: piece.bytes.toString('base64'), trust: 'foreign' };
  const place = `[${loaded.shown}, ${kind.mime}, ${piece.bytes.length} bytes${piece.note}]`;
  const seen = await askAboutImage({ image, question, place, native: options.native ?? false }, context);
  const host = parseHost(loaded.url);
  return { ...seen, ...(host !== '' && { foreign: host }), ...(loaded.url.startsWith('data:') && { foreign: 'a picture' }) };
}

async function cut(
  loaded: LoadedMedia,
  region: readonly number[],
  { crop }: VisionOptions,
  signal: AbortSignal,
): Promise<LoadedMedia & { readonly note: string }> {
  const [x = -1, y = -1, width = 0, height = 0] = region;
  if (region.length !== 4 || x < 0 || y < 0 || width < 1 || height < 1)
    throw new ToolFailure('region must be four whole numbers: x, y, width, height in pixels of the picture.');
  const mime = detectPictureKind(loaded.bytes)?.mime;
  const piece = mime === undefined ? undefined : await crop?.({ bytes: loaded.bytes, mime, region: [x, y, width, height], signal });
  if (piece === undefined) return { ...loaded, note: '; shown whole, there is nothing here that can cut pictures' };
  return { ...loaded, bytes: piece, note: `; the region ${region.join(', ')} of it` };
}
