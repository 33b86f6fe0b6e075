import type { Page } from 'playwright-core';
import { createTextBlock, type ImageBlock } from '../../../../../contracts/message.ts';
import type { ToolOutput } from '../../../../../contracts/tool.ts';
import { askAboutImage } from '../../media/sight.ts';
import { createAnnotationScript, REMOVE_LABELS } from './annotate.ts';
import type { CommandLimits } from '../command.ts';
import { createPageResult } from '../view.ts';
import { runOnPage, type Verb } from './verb.ts';

export const analyzeScreenshot: Verb<{ readonly question: string; readonly annotate?: boolean }> = async (
  { question, annotate = false },
  deps,
) => {
  const { keepImage, context, native, live } = deps;
  const shot = await runOnPage(deps, 'The screenshot', async (page, bound) => {
    const bytes = annotate ? await labelled(page, bound) : await plain(page, bound);
    return { bytes, frame: await createPageResult(live, page, bound, '') };
  });
  const kept = await keepImage(shot.bytes, 'png');
  const place = kept.ok ? `Screenshot: ${kept.path}` : `The screenshot could not be kept (${kept.reason}).`;
  const image: ImageBlock = { type: 'image', mime: 'image/png', data: shot.bytes.toString('base64'), trust: 'foreign' };
  return joined(shot.frame, await askAboutImage({ image, question, place, native }, context), kept.ok ? kept.path : '');
};

const plain = (page: Page, { timeout, signal }: CommandLimits): Promise<Buffer> => page.screenshot({ type: 'png', timeout, signal });

/** The refs of what can be acted on, written beside it for the moment of the picture. */
async function labelled(page: Page, bound: CommandLimits): Promise<Buffer> {
  const snapshot = await page.ariaSnapshot({ mode: 'ai', boxes: true, signal: bound.signal, timeout: bound.timeout });
  await page.evaluate(createAnnotationScript(snapshot));
  try {
    return await plain(page, bound);
  } finally {
    await page.evaluate(REMOVE_LABELS).catch(() => {});
  }
}

const joined = (frame: ToolOutput, seen: ToolOutput, path: string): ToolOutput => ({
  ...frame,
  ...(seen.failed === true && { failed: true }),
  content: [...frame.content, createTextBlock('\n\n', 'foreign'), ...seen.content],
  details: { kind: 'media', items: [{ path, mime: 'image/png' }] },
});
