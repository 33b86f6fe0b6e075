import { isObject, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import type { ForeignPart } from '../../contracts/platform-adapter.ts';
import { readEntities, toMarkdown } from './entities.ts';
import { readMedia } from './media.ts';

/** Where the words and files of a message come from; nothing for the sender's own. */
export function readOrigin(message: JsonObject): Pick<ForeignPart, 'origin' | 'author'> | undefined {
  const forwarded = message['forward_origin'];
  if (isObject(forwarded)) return { origin: 'forward', ...readAuthor(forwarded) };
  // Servers of before Bot API 7.0 tell it in fields of the message.
  if (message['forward_date'] !== undefined) return { origin: 'forward', ...readAuthor(message) };
  const bot = message['via_bot'];
  return isObject(bot) ? { origin: 'bot', ...readAuthor({ via_bot: bot }) } : undefined;
}

/** Part of a message in another chat that this one answers. One in the same chat comes as a reply. */
export function readQuotation(message: JsonObject): ForeignPart[] {
  const reply = message['external_reply'];
  if (!isObject(reply)) return [];
  const quote = message['quote'];
  const text = toMarkdown(readStringAt(quote, 'text') ?? '', readEntities(isObject(quote) ? quote['entities'] : undefined), () => false);
  const media = readMedia(reply);
  return text === '' && media.length === 0 ? [] : [{ origin: 'quote', ...readAuthor(reply['origin']), text, media }];
}

/** Fields that name who wrote it, the most telling first: a person's, a hidden person's, a chat's. */
const AUTHORS = [
  'sender_user',
  'forward_from',
  'via_bot',
  'sender_user_name',
  'forward_sender_name',
  'sender_chat',
  'chat',
  'forward_from_chat',
];

function readAuthor(origin: Json | undefined): Pick<ForeignPart, 'author'> {
  for (const field of AUTHORS) {
    const names = ['title', 'first_name', 'last_name', 'username'].map((name) => readStringAt(origin, field, name));
    const [title, first, last, username] = names;
    const author = readStringAt(origin, field) ?? title ?? ([first, last].filter((each) => each !== undefined).join(' ') || username);
    if (author !== undefined && author !== '') return { author };
  }
  return {};
}
