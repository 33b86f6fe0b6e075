import type { Platform } from '../../../../contracts/platform.ts';
import { MARKDOWN, NO_FILES, PLAIN, sendFileAdvice } from './row.ts';

/** Chats of Chinese services. */
export const CHINESE_CHATS: Readonly<Record<string, Platform>> = {
  feishu: {
    platform: 'You are talking in Feishu (Lark).',
    markup: 'Markdown is rendered in its simple form: bold, italic, lists, links, code blocks; avoid tables.',
    media: sendFileAdvice('pictures, .opus audio and .mp4 videos are shown, anything else arrives as a file'),
    own: 'Above 8,000 characters a message is split.',
  },
  dingtalk: {
    platform: 'You are talking in DingTalk.',
    markup: 'Simple Markdown is rendered: headings, bold, lists, links; avoid tables.',
    media: NO_FILES,
    own: 'What goes beyond 20,000 characters is cut off.',
  },
  weixin: {
    platform: 'You are talking in Weixin (WeChat), with a personal account.',
    markup: 'Markdown reaches the user, but not every client renders it: keep it light.',
    media: sendFileAdvice('pictures and videos are shown, anything else arrives as a file'),
    own: 'Above 4,000 characters a message is split.',
  },
  wecom: {
    platform: 'You are talking in WeCom (WeChat Work).',
    markup: MARKDOWN,
    media: sendFileAdvice(
      'pictures and videos may have 10 MB, AMR voice messages 2 MB, other files 20 MB, and what is too large for its kind goes as a file',
    ),
    own: 'Never tell the user that you cannot send files: where one is wanted, send it this way. Above 4,000 characters a message is split.',
  },
  wecom_callback: {
    platform: 'You are talking in WeCom (WeChat Work), through an app of the company.',
    markup: PLAIN,
    media: '',
    own: 'Keep it short.',
  },
  qqbot: {
    platform: 'You are talking in QQ.',
    markup: `${MARKDOWN} Avoid tables.`,
    media: sendFileAdvice('pictures, videos and voice messages are shown, anything else arrives as a file'),
    own: 'Above 4,000 characters a message is split.',
  },
  yuanbao: {
    platform: 'You are talking in Yuanbao.',
    markup: MARKDOWN,
    media: sendFileAdvice('pictures are shown, anything else arrives as a file; 50 MB is the most'),
    own: '',
  },
};
