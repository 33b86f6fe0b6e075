import { join } from 'node:path';
import { createTextBlock } from '../../../../../contracts/message.ts';
import { ToolFailure, type Tool, type ToolOutput } from '../../../../../contracts/tool.ts';
import { askService } from '../ask.ts';
import { IMAGE_BACKENDS } from './all.ts';
import type { ImageAspect, ImageBackend, Picture } from './backend.ts';
import { keepFiles } from '../keep.ts';
import { detectPictureKind } from '../kinds.ts';
import { listReadyServices, type MediaOptions, type ReadyService } from '../options.ts';

export interface ImageInput {
  readonly prompt: string;
  readonly aspect_ratio?: ImageAspect;
}

const NEEDS = 'One of FAL_KEY, OPENAI_API_KEY, GEMINI_API_KEY, XAI_API_KEY, OPENROUTER_API_KEY.';
const MAX_BYTES = 40_000_000;
const FETCH_MS = 60_000;

export const imageGenerateTool = (options: MediaOptions): Tool<ImageInput> => ({
  name: 'image_generate',
  description: 'Create an image and save it as a file.',
  input: {
    type: 'object',
    properties: { prompt: { type: 'string' }, aspect_ratio: { type: 'string', enum: ['landscape', 'square', 'portrait'] } },
    required: ['prompt'],
    additionalProperties: false,
  },
  effects: () => ({ kind: 'read', resources: ['image_generate'] }),
  // It costs money.
  replay: 'never',
  idempotent: false,
  trust: 'tool',
  timeoutMs: 300_000,
  maxResult: 10_000,
  available: () => chosen(options) !== undefined,
  needs: NEEDS,
  run: ({ prompt, aspect_ratio: aspect = 'landscape' }, { signal }) => generate(prompt.trim(), aspect, options, signal),
});

function chosen(options: MediaOptions): ReadyService<ImageBackend> | undefined {
  const wanted = options.settings['image_gen.provider'];
  const ready = listReadyServices(IMAGE_BACKENDS, options);
  return wanted === 'auto' ? ready[0] : ready.find(({ service }) => service.name === wanted);
}

async function generate(prompt: string, aspect: ImageAspect, options: MediaOptions, signal: AbortSignal): Promise<ToolOutput> {
  if (prompt === '') throw new ToolFailure('No image was created: the prompt is empty.');
  const ready = chosen(options);
  if (ready === undefined) throw new ToolFailure(`No image service is set up. Needed: ${NEEDS}`);
  const { service } = ready;
  const model = options.settings['image_gen.model'] || service.model;
  const answer = await askService(service.request({ prompt, aspect, model }, ready.key()), ready, options, signal);
  if (!answer.ok) throw failed(service, answer.reason);
  const json = answer.json();
  const picture = json === undefined ? undefined : service.read(json);
  if (picture === undefined)
    throw failed(service, 'there is no picture in its answer; it may have refused the prompt, say it in other words');
  return keep(await bytesOf(picture, service, options, signal), service, model, options);
}

const failed = ({ label }: ImageBackend, reason: string): ToolFailure => new ToolFailure(`No image was created. ${label}: ${reason}.`);

/** Some answers say where the picture lies; that address is judged like any other. */
async function bytesOf(picture: Picture, service: ImageBackend, { reach }: MediaOptions, signal: AbortSignal): Promise<Buffer> {
  if ('data' in picture) return Buffer.from(picture.data, 'base64');
  const fetched = await reach([]).fetch({ url: picture.url, signal, timeoutMs: FETCH_MS, maxBytes: MAX_BYTES });
  if (!fetched.ok) throw failed(service, `the picture could not be fetched: ${fetched.reason}`);
  if (fetched.status !== 200 || fetched.cut) throw failed(service, `the picture could not be fetched (status ${fetched.status})`);
  return fetched.body;
}

async function keep(
  bytes: Buffer,
  service: ImageBackend,
  model: string,
  { settings, profile, now = Date.now }: MediaOptions,
): Promise<ToolOutput> {
  const kind = detectPictureKind(bytes);
  if (kind === undefined) throw failed(service, 'what it sent is no PNG, JPEG, WebP or GIF');
  const store = keepFiles({
    folder: join(profile, 'cache', 'images'),
    days: settings['media.cache_days'],
    megabytes: settings['media.cache_mb'],
    now,
  });
  const kept = await store(bytes, kind.ending);
  if (!kept.ok) throw new ToolFailure(`The image was created but could not be saved: ${kept.reason}.`);
  return {
    content: [createTextBlock(`MEDIA:${kept.path}\nMade by ${service.label} (${model}), ${kind.mime}, ${bytes.length} bytes.`, 'tool')],
    details: { kind: 'media', items: [{ path: kept.path, mime: kind.mime }] },
  };
}
