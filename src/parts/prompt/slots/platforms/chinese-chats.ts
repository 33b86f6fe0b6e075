import type { Platform } from '../../../../contracts/platform.ts';
import { MARKDOWN, NO_FILES, PLAIN, sendFileAdvice } from './row.ts';

/** Chats of Chinese services. */
export const CHINESE_CHATS: Readonly<Record<string, Platform>> = {
  feishu: {
    platform: 'You are chatting on Feishu (Lark).',
    markup: 'Simple Markdown is rendered: bold, italic, lists, links, code blocks; avoid tables.',
    media: sendFileAdvice('images, .opus audio and .mp4 videos are shown, other files arrive as attachments'),
    own: 'Messages over 8,000 characters are split.',
  },
  dingtalk: {
    platform: 'You are chatting on DingTalk.',
    markup: 'Simple Markdown is rendered: headings, bold, lists, links; avoid tables.',
    media: NO_FILES,
    own: 'Anything over 20,000 characters is cut off.',
  },
  weixin: {
    platform: 'You are chatting on Weixin (WeChat), with a personal account.',
    markup: 'Not every client renders Markdown: use it sparingly.',
    media: sendFileAdvice('images and videos are shown, other files arrive as attachments'),
    own: 'Messages over 4,000 characters are split.',
  },
  wecom: {
    platform: 'You are chatting on WeCom (WeChat Work).',
    markup: MARKDOWN,
    media: sendFileAdvice(
      'images and videos up to 10 MB, AMR voice messages up to 2 MB, other files up to 20 MB; larger media go as files',
    ),
    own: 'Never say that you cannot send files: send them this way. Messages over 4,000 characters are split.',
  },
  wecom_callback: {
    platform: 'You are chatting on WeCom (WeChat Work), through a company app.',
    markup: PLAIN,
    media: '',
    own: 'Keep it short.',
  },
  qqbot: {
    platform: 'You are chatting on QQ.',
    markup: `${MARKDOWN} Avoid tables.`,
    media: sendFileAdvice('images, videos and voice messages are shown, other files arrive as attachments'),
    own: 'Messages over 4,000 characters are split.',
  },
  yuanbao: {
    platform: 'You are chatting on Yuanbao.',
    markup: MARKDOWN,
    media: sendFileAdvice('images are shown, other files arrive as attachments; at most 50 MB'),
    own: '',
  },
};
