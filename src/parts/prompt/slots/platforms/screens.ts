import type { Platform } from '../../../../contracts/platform.ts';
import { FULL_MARKDOWN, MARKDOWN, sendFileAdvice } from './row.ts';

const SAME_MACHINE = 'The user can open files on this machine: give paths, not contents.';
const LOCAL_JOBS = { cronjob: 'Scheduled jobs write to a file unless they name a chat.' };

/** Screens of our own. */
export const SCREENS: Readonly<Record<string, Platform>> = {
  cli: {
    attended: true,
    platform: 'Your answers appear in a terminal.',
    markup: 'Use plain text with little Markdown.',
    local: SAME_MACHINE,
    own: '',
    tools: LOCAL_JOBS,
  },
  tui: {
    attended: true,
    platform: 'Your answers appear in the Hermes terminal interface.',
    markup: `${MARKDOWN} Lines may be narrow: avoid wide tables.`,
    local: SAME_MACHINE,
    own: '',
    tools: LOCAL_JOBS,
  },
  desktop: {
    attended: true,
    platform: 'Your answers appear in the Hermes desktop app.',
    markup: FULL_MARKDOWN,
    media: sendFileAdvice('images, audio and videos are shown, other files can be opened'),
    own: '',
  },
  webui: {
    attended: true,
    platform: 'Your answers appear in the Hermes web interface.',
    markup: FULL_MARKDOWN,
    media: sendFileAdvice('images, audio and videos are shown, other files can be downloaded'),
    own: 'The browser may run on another machine, where paths on this one mean nothing.',
  },
  acp: {
    attended: true,
    platform: 'Your answers appear in a code editor.',
    markup: MARKDOWN,
    media: 'The editor shows file changes itself; refer to code as path:line.',
    own: 'The user sees the code: explain what changed, do not repeat it.',
  },
};
