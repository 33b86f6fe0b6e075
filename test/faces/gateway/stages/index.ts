import type { ChatStage, ChatStageOptions } from './contract.ts';
import { openDiscord } from './discord.ts';
import { openSlack } from './slack.ts';
import { openTelegram } from './telegram.ts';

/** A stage of each platform there is. */
export const STAGES: Readonly<Record<ChatStage['platform'], (options: ChatStageOptions) => Promise<ChatStage>>> = {
  telegram: openTelegram,
  discord: openDiscord,
  slack: openSlack,
};
