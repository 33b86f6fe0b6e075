import type { Platform } from '../../../../contracts/platform.ts';
import { CHATS } from './chats.ts';
import { CHINESE_CHATS } from './chinese-chats.ts';
import { MACHINES } from './machines.ts';
import { SCREENS } from './screens.ts';

/** Every place a session can be held, by the name its platform has. */
export const PLATFORMS: Readonly<Record<string, Platform>> = { ...SCREENS, ...CHATS, ...CHINESE_CHATS, ...MACHINES };
