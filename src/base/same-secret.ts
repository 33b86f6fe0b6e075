import { hash, timingSafeEqual } from 'node:crypto';

/** Takes as long for a wrong secret as for the right one. */
export const isSameSecret = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
