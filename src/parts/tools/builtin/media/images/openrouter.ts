import { readStringAt } from '../../../../../base/json.ts';
import { parsePictureUrl, RATIOS, type ImageBackend } from './backend.ts';

/** https://openrouter.ai/docs/features/multimodal/image-generation: a chat whose answer is a picture. Unproved live. */
export const openrouter: ImageBackend = {
  name: 'openrouter',
  label: 'OpenRouter',
  keys: ['OPENROUTER_API_KEY'],
  base: 'https://openrouter.ai/api/v1',
  model: 'google/gemini-2.5-flash-image',
  request: ({ prompt, aspect, model }, key) => ({
    path: '/chat/completions',
    headers: { authorization: `Bearer ${key}` },
    body: {
      model,
      messages: [{ role: 'user', content: prompt }],
      modalities: ['image', 'text'],
      image_config: { aspect_ratio: RATIOS[aspect] },
    },
  }),
  read: (answer) => parsePictureUrl(readStringAt(answer, 'choices', 0, 'message', 'images', 0, 'image_url', 'url')),
};
