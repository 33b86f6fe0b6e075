import { readStringAt } from '../../../../../base/json.ts';
import { parsePictureUrl, type ImageAspect, type ImageBackend } from './backend.ts';

const SIZES: Readonly<Record<ImageAspect, string>> = { landscape: 'landscape_16_9', square: 'square_hd', portrait: 'portrait_16_9' };

/** https://docs.fal.ai (synchronous calls). Unproved live. */
export const fal: ImageBackend = {
  name: 'fal',
  label: 'fal.ai',
  keys: ['FAL_KEY'],
  base: 'https://fal.run',
  model: 'fal-ai/flux/dev',
  request: ({ prompt, aspect, model }, key) => ({
    path: `/${model}`,
    headers: { authorization: `Key ${key}` },
    body: { prompt, image_size: SIZES[aspect], num_images: 1 },
  }),
  read: (answer) => parsePictureUrl(readStringAt(answer, 'images', 0, 'url') ?? readStringAt(answer, 'image', 'url')),
};
