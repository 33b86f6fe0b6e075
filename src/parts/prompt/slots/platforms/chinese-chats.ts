import type { Platform } from '../../../../contracts/platform.ts';
import { MARKDOWN, NO_FILES, PLAIN, sendFileAdvice } from './row.ts';

/** Chats of Chinese services. */
export const CHINESE_CHATS: Readonly<Record<string, Platform>> = {
  feishu: {
    platform: 'You are talking in Feishu (Lark).',
    markup: 'Simple Markdown is rendered: bold, italic, lists, links, code blocks; avoid tables.',
    media: sendFileAdvice('pictures, .opus audio and .mp4 videos are shown, other files arrive as attachments'),
    own: 'Messages over 8,000 characters are split.',
  },
  dingtalk: {
    platform: 'You are talking in DingTalk.',
    markup: 'Simple Markdown is rendered: headings, bold, lists, links; avoid tables.',
    media: NO_FILES,
    own: 'Anything over 20,000 characters is cut off.',
  },
  weixin: {
    platform: 'You are talking in Weixin (WeChat), with a personal account.',
    markup: 'Not every client renders Markdown: use little.',
    media: sendFileAdvice('pictures and videos are shown, other files arrive as attachments'),
    own: 'Messages over 4,000 characters are split.',
  },
  wecom: {
    platform: 'You are talking in WeCom (WeChat Work).',
    markup: MARKDOWN,
    media: sendFileAdvice(
      'pictures and videos up to 10 MB, AMR voice messages up to 2 MB, other files up to 20 MB; larger media go as files',
    ),
    own: 'Never say that you cannot send files: send them this way. Messages over 4,000 characters are split.',
  },
  wecom_callback: {
    platform: 'You are talking in WeCom (WeChat Work), through a company app.',
    markup: PLAIN,
    media: '',
    own: 'Keep it short.',
  },
  qqbot: {
    platform: 'You are talking in QQ.',
    markup: `${MARKDOWN} Avoid tables.`,
    media: sendFileAdvice('pictures, videos and voice messages are shown, other files arrive as attachments'),
    own: 'Messages over 4,000 characters are split.',
  },
  yuanbao: {
    platform: 'You are talking in Yuanbao.',
    markup: MARKDOWN,
    media: sendFileAdvice('pictures are shown, other files arrive as attachments; at most 50 MB'),
    own: '',
  },
};
