import type { Platform } from '../../../../contracts/platform.ts';
import { MARKDOWN, sendFileAdvice } from './row.ts';

const SAME_MACHINE = 'The user can open files here: give paths, send nothing.';
const LOCAL_JOBS = { cronjob: 'A scheduled job made here writes its output to a file unless it names a chat.' };

/** Screens of our own. */
export const SCREENS: Readonly<Record<string, Platform>> = {
  cli: {
    attended: true,
    platform: 'You answer in a terminal.',
    markup: 'Write plain text with little Markdown.',
    media: SAME_MACHINE,
    own: '',
    tools: LOCAL_JOBS,
  },
  tui: {
    attended: true,
    platform: 'You answer in the terminal interface of Hermes.',
    markup: `${MARKDOWN} Lines may be narrow: avoid wide tables.`,
    media: SAME_MACHINE,
    own: '',
    tools: LOCAL_JOBS,
  },
  desktop: {
    attended: true,
    platform: 'You answer in the desktop app of Hermes.',
    markup: `${MARKDOWN} Tables and code blocks too.`,
    media: sendFileAdvice('pictures, audio and videos are shown, other files can be opened'),
    own: '',
  },
  webui: {
    attended: true,
    platform: 'You answer in the web interface of Hermes.',
    markup: `${MARKDOWN} Tables and code blocks too.`,
    media: sendFileAdvice('pictures, audio and videos are shown, other files can be downloaded'),
    own: 'The browser may run on another machine, where paths of this one mean nothing.',
  },
  acp: {
    attended: true,
    platform: 'You answer inside a code editor.',
    markup: MARKDOWN,
    media: 'The editor shows file changes by itself; refer to code as path:line.',
    own: 'The user sees the code: explain what changed, do not repeat it.',
  },
};
