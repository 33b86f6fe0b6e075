import { RATIOS, type ImageBackend } from './backend.ts';
import { openai } from './openai.ts';

/** https://docs.x.ai/developers/model-capabilities/images/generation. Unproved live. */
export const xai: ImageBackend = {
  name: 'xai',
  label: 'xAI',
  keys: ['XAI_API_KEY'],
  base: 'https://api.x.ai/v1',
  model: 'grok-imagine-image-quality',
  request: ({ prompt, aspect, model }, key) => ({
    path: '/images/generations',
    headers: { authorization: `Bearer ${key}` },
    body: { model, prompt, n: 1, aspect_ratio: RATIOS[aspect], response_format: 'b64_json' },
  }),
  read: openai.read,
};
