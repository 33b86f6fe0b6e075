import { measureWidth, splitGraphemes } from '../../../../src/base/width.ts';
import type { Step, Story } from './story.ts';

const PICTURE = /\p{Extended_Pictographic}|\p{Emoji_Presentation}|\u200d|\ufe0f/u;
const toNarrow = (line: string): string =>
  splitGraphemes(line)
    .map((sign) => (measureWidth(sign) === 2 || PICTURE.test(sign) ? 'xx' : sign))
    .join('');
const narrowStep = (step: Step): Step =>
  step.type === 'resize'
    ? step
    : { ...step, printed: step.printed.map(toNarrow), frame: { ...step.frame, lines: step.frame.lines.map(toNarrow) } };

/** The same story with two narrow characters for each wide one: what goes wrong only with those is the terminal's own doing. */
export const toNarrowStory = (story: Story): Story => ({
  ...story,
  printed: story.printed.map(toNarrow),
  steps: story.steps.map(narrowStep),
});
