import type { Platform } from '../../../../contracts/platform.ts';
import { MARKDOWN, sendFileAdvice } from './row.ts';

const SAME_MACHINE = 'The user can open files of this machine: give their paths instead of sending them.';
const LOCAL_JOBS = { cronjob: 'A scheduled job made here keeps its output in a file unless it names a chat to deliver to.' };

/** Screens of our own. */
export const SCREENS: Readonly<Record<string, Platform>> = {
  cli: {
    attended: true,
    platform: 'You are answering in a terminal.',
    markup: 'Write simple text that reads well there; use little Markdown.',
    media: SAME_MACHINE,
    own: '',
    tools: LOCAL_JOBS,
  },
  tui: {
    attended: true,
    platform: 'You are answering in the terminal interface of Hermes.',
    markup: `${MARKDOWN} Lines are as narrow as the terminal: avoid wide tables.`,
    media: SAME_MACHINE,
    own: '',
    tools: LOCAL_JOBS,
  },
  desktop: {
    attended: true,
    platform: 'You are answering in the desktop app of Hermes.',
    markup: `${MARKDOWN} Tables and code blocks too.`,
    media: sendFileAdvice('pictures, audio and videos are shown, other files can be opened'),
    own: '',
  },
  webui: {
    attended: true,
    platform: 'You are answering in the web page of Hermes.',
    markup: `${MARKDOWN} Tables and code blocks too.`,
    media: sendFileAdvice('pictures, audio and videos are shown, other files can be downloaded'),
    own: 'The browser may run on another machine, where a path of this one means nothing.',
  },
  acp: {
    attended: true,
    platform: 'You are answering inside a code editor.',
    markup: MARKDOWN,
    media: 'The editor shows changes to files by itself; name a place as path:line.',
    own: 'The user sees the code: explain what changed without repeating it.',
  },
};
