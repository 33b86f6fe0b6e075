import { readNumberAt, readStringAt } from '../../../../base/json.ts';
import type { NetworkAccess } from '../../../../contracts/reach.ts';
import { ToolFailure } from '../../../../contracts/tool.ts';
import type { CropImage, CropRequest } from '../media/vision-tool.ts';
import type { Browsers } from './browsers.ts';
import { waitUntilAborted } from './until.ts';

const NOWHERE: NetworkAccess = {
  check: async () => ({ allow: false, reason: 'Refused: nothing is fetched here.' }),
  fetch: async () => ({ ok: false, refused: true, reason: 'Refused: nothing is fetched here.' }),
};

/** Cuts pictures with a browser of the moment that reaches nothing; without one on this machine there is no cutting. */
export const cropWith =
  (browsers: Browsers, variable: (name: string) => string | undefined): CropImage =>
  async (ask) => {
    if (!browsers.isAvailable()) return undefined;
    const { launch } = await import('./launch.ts');
    await using launched = await launch({ executable: browsers.executable(), headed: false, reach: NOWHERE, variable });
    const page = launched.context.pages()[0] ?? (await launched.context.newPage());
    const cut = await waitUntilAborted(page.evaluate(script(ask)), ask.signal);
    const [data, width, height] = [readStringAt(cut, 'data'), readNumberAt(cut, 'width'), readNumberAt(cut, 'height')];
    if (data === undefined) throw new ToolFailure(`The region lies outside of the picture, which has ${width ?? 0}×${height ?? 0} pixels.`);
    return Buffer.from(data, 'base64');
  };

const script = ({ bytes, mime, region }: CropRequest): string => `(async ([x, y, width, height]) => {
  const image = new Image();
  image.src = ${JSON.stringify(`data:${mime};base64,${bytes.toString('base64')}`)};
  await image.decode();
  const size = { width: image.naturalWidth, height: image.naturalHeight };
  const [w, h] = [Math.min(width, size.width - x), Math.min(height, size.height - y)];
  if (w < 1 || h < 1) return size;
  const canvas = document.createElement('canvas');
  canvas.width = w;
  canvas.height = h;
  canvas.getContext('2d').drawImage(image, x, y, w, h, 0, 0, w, h);
  return { ...size, data: canvas.toDataURL('image/png').split(',')[1] };
})(${JSON.stringify(region)})`;
