import type { OpenPlatformScene } from '../../../src/testing/conformance/platform-scene.ts';
import { openScene as discordScene } from '../../platforms/discord/scene.ts';
import { openScene as slackScene } from '../../platforms/slack/scene.ts';
import { telegramScene } from '../../platforms/telegram/scene.ts';
import { webhookScene } from '../../platforms/webhook/scene.ts';

/** A service that stands in for the real one, for every platform. */
export const SCENES: Readonly<Record<string, OpenPlatformScene>> = {
  telegram: telegramScene,
  discord: discordScene,
  slack: slackScene,
  webhook: webhookScene,
};
