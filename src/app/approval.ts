import type { Approval } from '../contracts/tool.ts';

/** Nobody is there to ask: whatever needs consent is denied, and the model is told why. */
export const unattended: Approval = {
  ask: async () => ({
    allow: false,
    by: 'policy',
    reason: 'nobody is there to approve this. Do not look for another way to do the same thing; say what you would have done and why.',
  }),
};

/** The owner has allowed everything in advance; the hard floor is not asked for and stays. */
export const yolo: Approval = { ask: async () => ({ allow: true, by: '--yolo' }) };
