import type { Platform } from '../../../../contracts/platform.ts';
import { MARKDOWN, NO_FILES, PLAIN, sendFileAdvice } from './row.ts';

/** Chats between people. Limits and markup: reference gateway §6; the rest: seed 000 §5.4 and reference core §4.9. */
export const CHATS: Readonly<Record<string, Platform>> = {
  whatsapp: {
    platform: 'You are talking in WhatsApp.',
    markup: PLAIN,
    media: sendFileAdvice('pictures, videos and audio are shown as such, anything else arrives as a document'),
    own: 'Write as one does in a chat; above 4,096 characters a message is split.',
  },
  whatsapp_cloud: {
    platform: 'You are talking in WhatsApp, through the business API.',
    markup: PLAIN,
    media: sendFileAdvice('pictures, videos and audio are shown as such, anything else arrives as a document'),
    own: 'The user can be written to only within 24 hours of their last message, so promise no later one. Above 4,096 characters a message is split.',
  },
  telegram: {
    platform: 'You are talking in Telegram.',
    markup:
      'Markdown is converted: **bold**, *italic*, ~~struck~~, ||spoiler||, `code`, fenced code blocks, [links](url) and ## headings. Tables are not: use lists.',
    media: sendFileAdvice('pictures appear as photos, .ogg as voice messages, .mp4 as videos'),
    own: 'Above 4,096 characters a message is split.',
  },
  discord: {
    platform: 'You are talking in Discord, in a server, a group or a direct chat.',
    markup: 'Its Markdown is rendered, tables are not.',
    media: sendFileAdvice('it is attached, and pictures, videos and audio are shown as such'),
    own: 'A message holds 2,000 characters and longer ones are split: keep it short. Others may read along.',
  },
  slack: {
    platform: 'You are talking in Slack.',
    markup: 'Markdown is converted to what Slack has: bold, italic, strike, code, links, lists. Headings become bold; avoid tables.',
    media: sendFileAdvice('it is uploaded to the conversation'),
    own: 'In a channel others read along.',
  },
  signal: {
    platform: 'You are talking in Signal.',
    markup: 'Only bold, italic, strike and code are shown; write otherwise plain text, without headings or tables.',
    media: sendFileAdvice('pictures, audio and any other file up to 100 MB arrive as attachments'),
    own: 'A message that is sent cannot be changed.',
  },
  sms: {
    platform: 'You are talking by SMS.',
    markup: `${PLAIN} No emphasis, no code blocks.`,
    media: NO_FILES,
    own: 'Each message is paid for and holds about 1,600 characters: answer in a few sentences.',
  },
  bluebubbles: {
    platform: 'You are talking in iMessage.',
    markup: PLAIN,
    media: sendFileAdvice('pictures and videos are shown, other files are attached'),
    own: 'Every paragraph becomes a bubble of its own: write few and short ones.',
  },
  mattermost: {
    platform: 'You are talking in Mattermost.',
    markup: `${MARKDOWN} Tables and code blocks too.`,
    media: sendFileAdvice('it is attached to the post'),
    own: 'Above 4,000 characters a post is split. In a channel others read along.',
  },
  matrix: {
    platform: 'You are talking in a Matrix room.',
    markup: 'Markdown is converted to HTML; some clients show the plain text, so keep it readable.',
    media: sendFileAdvice('pictures, audio and videos are shown, other files are attached'),
    own: 'Above 4,000 characters a message is split.',
  },
  email: {
    platform: 'You are answering an e-mail.',
    markup: 'Write plain text without Markdown; set it out with paragraphs and simple lists.',
    media: sendFileAdvice('it is attached to the mail'),
    own: 'The whole answer is one mail in the same thread, so make it complete, clear and no longer than needed. Subject and address are taken care of.',
  },
};
