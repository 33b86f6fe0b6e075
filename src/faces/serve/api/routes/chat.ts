import { readPath } from '../../../../base/json.ts';
import { beginRun } from '../request/begin-run.ts';
import type { ApiContext, ApiRequest, ApiRoute } from '../http/contract.ts';
import { createBadRequest } from '../http/errors.ts';
import type { LoadImage } from '../request/content.ts';
import { readConversation } from '../request/messages.ts';
import { readOptions } from '../request/read-options.ts';
import { readBody, readFlag, readList } from '../request/read-body.ts';
import { createChatStream, toCompletion } from '../wire/chat.ts';
import { answerStream, answerWhole } from './answer.ts';

export const CHAT_ROUTES: readonly ApiRoute[] = [
  { method: 'POST', path: '/v1/chat/completions', about: "OpenAI's chat completions, streaming or whole", handle: completeChat },
];

async function completeChat(request: ApiRequest, context: ApiContext) {
  const body = readBody(request);
  const messages = readList(body, 'messages');
  if (messages === undefined) throw createBadRequest('missing_value', '"messages" is missing.', 'messages');
  const isStream = readFlag(body, 'stream') === true;
  const options = readOptions(body, 'chat', context);
  const begun = await beginRun(
    {
      kind: 'chat',
      conversation: await readConversation(messages, 'messages', loadImages(request, context)),
      ...options,
      request: { ...options.request, include_usage: readPath(body, 'stream_options', 'include_usage') === true },
    },
    request,
    context,
  );
  return isStream ? answerStream(begun, createChatStream(begun.run), request, context) : answerWhole(begun, toCompletion, request, context);
}

/** Pictures that are named by their address. */
export const loadImages =
  ({ signal }: ApiRequest, { loadImage }: ApiContext): LoadImage =>
  async (url) => {
    if (loadImage === undefined) throw createBadRequest('invalid_image_url', 'Images are taken as data: URLs only.');
    return loadImage(url, signal);
  };
