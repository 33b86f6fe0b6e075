import type { Slot } from '../../../contracts/prompt.ts';

/** Where and when the session began. The day only: a clock in the prefix would empty the provider's cache. */
export const sceneSlot: Slot = {
  name: 'scene',
  order: 100,
  lifetime: 'session',
  cap: 2_000,
  render: ({ cwd, startedAt, model, provider }) => {
    const day = new Date(startedAt).toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
    return `Session started on ${day}. Working directory: ${cwd}. System: ${process.platform}. Model: ${model} (${provider}).`;
  },
};
