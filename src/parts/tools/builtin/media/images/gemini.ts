import { readPath, readStringAt } from '../../../../../base/json.ts';
import { RATIOS, type ImageBackend } from './backend.ts';

/** https://ai.google.dev/gemini-api/docs/image-generation. Unproved live. */
export const gemini: ImageBackend = {
  name: 'gemini',
  label: 'Gemini',
  keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  base: 'https://generativelanguage.googleapis.com/v1beta',
  model: 'gemini-2.5-flash-image',
  request: ({ prompt, aspect, model }, key) => ({
    path: `/models/${model}:generateContent`,
    headers: { 'x-goog-api-key': key },
    body: {
      contents: [{ parts: [{ text: prompt }] }],
      generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: RATIOS[aspect] } },
    },
  }),
  read: (answer) => {
    const parts = readPath(answer, 'candidates', 0, 'content', 'parts');
    const data = Array.isArray(parts)
      ? parts.map((part) => readStringAt(part, 'inlineData', 'data')).find((each) => each !== undefined)
      : undefined;
    return data === undefined ? undefined : { data };
  },
};

/** https://ai.google.dev/gemini-api/docs/imagen. Unproved live. */
export const imagen: ImageBackend = {
  ...gemini,
  name: 'imagen',
  label: 'Imagen',
  model: 'imagen-4.0-generate-001',
  request: ({ prompt, aspect, model }, key) => ({
    path: `/models/${model}:predict`,
    headers: { 'x-goog-api-key': key },
    body: { instances: [{ prompt }], parameters: { sampleCount: 1, aspectRatio: RATIOS[aspect] } },
  }),
  read: (answer) => {
    const data = readStringAt(answer, 'predictions', 0, 'bytesBase64Encoded');
    return data === undefined ? undefined : { data };
  },
};
