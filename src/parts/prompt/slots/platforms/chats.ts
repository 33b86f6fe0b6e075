import type { Platform } from '../../../../contracts/platform.ts';
import { FULL_MARKDOWN, NO_FILES, PLAIN, sendFileAdvice } from './row.ts';

/** Chats between people. Limits and markup: reference gateway §6; the rest: seed 000 §5.4 and reference core §4.9. */
export const CHATS: Readonly<Record<string, Platform>> = {
  whatsapp: {
    platform: 'You are chatting on WhatsApp.',
    markup: PLAIN,
    media: sendFileAdvice('images, videos and audio are shown inline, other files arrive as documents'),
    own: 'Write in a chat style. Messages over 4,096 characters are split.',
  },
  whatsapp_cloud: {
    platform: 'You are chatting on WhatsApp, through the business API.',
    markup: PLAIN,
    media: sendFileAdvice('images, videos and audio are shown inline, other files arrive as documents'),
    own: 'You can message the user only within 24 hours of their last message, so promise nothing for later. Messages over 4,096 characters are split.',
  },
  telegram: {
    platform: 'You are chatting on Telegram.',
    markup:
      'Markdown is converted: **bold**, *italic*, ~~struck~~, ||spoiler||, `code`, fenced code blocks, [links](url) and ## headings. Tables are not supported: use lists.',
    media: sendFileAdvice('images appear as photos, .ogg as voice messages, .mp4 as videos'),
    own: 'Messages over 4,096 characters are split.',
  },
  discord: {
    platform: 'You are chatting on Discord, in a server, group or direct message.',
    markup: 'Discord Markdown is rendered, except tables.',
    media: sendFileAdvice('it is attached, and images, videos and audio are shown inline'),
    own: 'Messages over 2,000 characters are split: keep them short. Other people may read them.',
  },
  slack: {
    platform: 'You are chatting on Slack.',
    markup: 'Markdown is converted to Slack formatting: bold, italic, strike, code, links, lists. Headings become bold; avoid tables.',
    media: sendFileAdvice('it is uploaded to the conversation'),
    own: 'In a channel, other people read your messages too.',
  },
  signal: {
    platform: 'You are chatting on Signal.',
    markup: 'Only bold, italic, strikethrough and code are rendered; no headings or tables.',
    media: sendFileAdvice('images, audio and any other file up to 100 MB arrive as attachments'),
    own: 'A sent message cannot be edited.',
  },
  sms: {
    platform: 'You are chatting by SMS.',
    markup: `${PLAIN} No emphasis, no code blocks.`,
    media: NO_FILES,
    own: 'Each message costs money and holds about 1,600 characters: answer in a few sentences.',
  },
  bluebubbles: {
    platform: 'You are chatting over iMessage.',
    markup: PLAIN,
    media: sendFileAdvice('images and videos are shown, other files are attached'),
    own: 'Every paragraph becomes its own bubble: write few, short ones.',
  },
  mattermost: {
    platform: 'You are chatting on Mattermost.',
    markup: FULL_MARKDOWN,
    media: sendFileAdvice('it is attached to the post'),
    own: 'Posts over 4,000 characters are split. In a channel, other people read your messages too.',
  },
  matrix: {
    platform: 'You are chatting in a Matrix room.',
    markup: 'Markdown is converted to HTML; some clients show the plain text, so keep it readable.',
    media: sendFileAdvice('images, audio and videos are shown, other files are attached'),
    own: 'Messages over 4,000 characters are split.',
  },
  email: {
    platform: 'You are answering an email.',
    markup: 'Write plain text without Markdown, in paragraphs and simple lists.',
    media: sendFileAdvice('it is attached to the email'),
    own: 'Your whole answer is one email in the same thread: make it complete, clear and short. Subject and address are set for you.',
  },
};
