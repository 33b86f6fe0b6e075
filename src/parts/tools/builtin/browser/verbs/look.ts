import { readNumberAt, readStringAt } from '../../../../../base/json.ts';
import { ToolFailure } from '../../../../../contracts/tool.ts';
import { shortenLine } from '../notes.ts';
import { limitText, createPageResult } from '../view.ts';
import { runOnPage, showPage, type Verb } from './verb.ts';

export const showSnapshot: Verb<{ readonly full?: boolean }> = ({ full = false }, deps) =>
  runOnPage(deps, 'The snapshot', (page, bound) => showPage(deps, page, bound, full));

const MAX_IMAGES = 100;
const IMAGES = `[...document.images].slice(0, ${MAX_IMAGES}).map((image) => ({
  src: image.currentSrc || image.src, alt: image.alt, width: image.naturalWidth, height: image.naturalHeight }))`;

export const getImages: Verb<Record<string, never>> = (_input, deps) =>
  runOnPage(deps, 'Listing pictures', async (page, bound) => {
    const found = await page.evaluate(IMAGES);
    const lines = Array.isArray(found) ? found.flatMap((image: unknown) => drawImage(image) ?? []) : [];
    return createPageResult(deps.live, page, bound, lines.length === 0 ? 'There are no pictures on this page.' : lines.join('\n'));
  });

function drawImage(image: unknown): string | undefined {
  const src = readStringAt(image, 'src') ?? '';
  if (src === '') return undefined;
  const size = `${readNumberAt(image, 'width') ?? 0}×${readNumberAt(image, 'height') ?? 0}`;
  const alt = shortenLine(readStringAt(image, 'alt') ?? '', 200);
  return `- ${shortenLine(src, 300)} (${size})${alt === '' ? '' : ` ${JSON.stringify(alt)}`}`;
}

export const showConsole: Verb<{ readonly clear?: boolean; readonly expression?: string }> = ({ clear = false, expression = '' }, deps) => {
  const { live, evaluates, limit, keepText } = deps;
  if (expression !== '' && !evaluates)
    throw new ToolFailure(
      'Not evaluated: the owner does not allow expressions here (browser.restrict_evaluate). Use the other browser tools.',
    );
  return runOnPage(deps, expression === '' ? 'Reading the console' : 'The expression', async (page, bound) => {
    const value = expression === '' ? undefined : drawValue(await page.evaluate(expression));
    const dropped = live.log.dropped();
    const lines = [...(dropped === 0 ? [] : [`[${dropped} older lines were dropped]`]), ...live.log.lines()];
    if (clear) live.log.clear();
    const log = lines.length === 0 ? 'The console is empty.' : `Console:\n${lines.join('\n')}`;
    return createPageResult(live, page, bound, await limitText(value === undefined ? log : `Value: ${value}\n\n${log}`, limit, keepText));
  });
};

function drawValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  try {
    return JSON.stringify(value, undefined, 1) ?? String(value);
  } catch {
    return String(value);
  }
}
