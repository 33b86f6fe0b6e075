import { readStringAt } from '../../../../../base/json.ts';
import { parsePictureUrl, type ImageAspect, type ImageBackend } from './backend.ts';

const SIZES: Readonly<Record<ImageAspect, string>> = { landscape: '1536x1024', square: '1024x1024', portrait: '1024x1536' };

/** https://platform.openai.com/docs/api-reference/images. The fake is proved by the official client; unproved live. */
export const openai: ImageBackend = {
  name: 'openai',
  label: 'OpenAI',
  keys: ['OPENAI_API_KEY'],
  base: 'https://api.openai.com/v1',
  baseVariable: 'OPENAI_BASE_URL',
  model: 'gpt-image-1',
  request: ({ prompt, aspect, model }, key) => ({
    path: '/images/generations',
    headers: { authorization: `Bearer ${key}` },
    body: { model, prompt, n: 1, size: SIZES[aspect] },
  }),
  read: (answer) => {
    const data = readStringAt(answer, 'data', 0, 'b64_json');
    return data === undefined ? parsePictureUrl(readStringAt(answer, 'data', 0, 'url')) : { data };
  },
};
