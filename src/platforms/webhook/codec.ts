import { isObject, readStringAt } from '../../base/json.ts';
import type { Json } from '../../base/json-types.ts';
import { sha256 } from '../../base/sha256.ts';
import type { InboundMessage } from '../../contracts/platform-adapter.ts';
import type { WebhookRoute } from './entries.ts';
import type { VerifiedRequest } from './signatures.ts';
import { fillTemplate, listValues } from './template.ts';

/** A request whose sender is known, as it is read. */
export interface ReadRequest {
  readonly verified: VerifiedRequest;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
  readonly raw: string;
}

/** What kind of event it is: as the service's header says, else as the body does. */
export function readEventName({ headers, body }: Pick<ReadRequest, 'headers' | 'body'>): string | undefined {
  const told = [headers['x-github-event'], headers['x-gitea-event'], headers['x-gitlab-event'], headers['x-webhook-event']];
  const name = [...told, readStringAt(body, 'event_type'), readStringAt(body, 'type'), readStringAt(body, 'event')];
  return name.find((each) => each !== undefined && each.trim() !== '')?.trim();
}

/** Whether a route is for it. `issues.opened` is the event `issues` with the action `opened`. */
export function isWanted({ events }: Pick<WebhookRoute, 'events'>, { headers, body }: Pick<ReadRequest, 'headers' | 'body'>): boolean {
  const name = readEventName({ headers, body }) ?? '';
  // GitHub asks whether anybody is there when a hook is made; that is no event.
  if (name === 'ping' && headers['x-github-event'] === 'ping') return events.includes('ping');
  if (events.length === 0) return true;
  const action = isObject(body) ? readStringAt(body, 'action') : undefined;
  return [name, ...(action === undefined ? [] : [`${name}.${action}`])].some((each) => events.includes(each));
}

/** An id that is kept as it is; a sender can make up any other. */
const PLAIN_ID = /^[\x21-\x7e]{1,128}$/;
const shorten = (id: string): string => (PLAIN_ID.test(id) ? id : sha256(id).slice(0, 32));
/** The same for every copy of one event, and for no other event of any route. */
export const eventKeyOf = ({ name }: Pick<WebhookRoute, 'name'>, { once }: Pick<VerifiedRequest, 'once'>): string =>
  `${name}:${shorten(once)}`;
export const deliveryIdOf = ({ id, once }: VerifiedRequest): string => (id === undefined ? sha256(once).slice(0, 32) : shorten(id));

/** One delivery: a chat of its own, and a task by the words of its route. */
export function toMessage(route: WebhookRoute, request: ReadRequest, now: number): InboundMessage {
  const { name, prompt, deliver, isDirect, toolsets, skills } = route;
  const template = prompt ?? describeUntold(name);
  const filled = fillTemplate(template, request.body, request.raw);
  const event = readEventName(request);
  const id = deliveryIdOf(request.verified);
  const values = filled.values.length === 0 || event === undefined ? filled.values : [{ name: 'event', value: event }, ...filled.values];
  return {
    type: 'message',
    key: eventKeyOf(route, request.verified),
    chat: { type: 'private', chatId: `${name}:${id}`, name, isOneOff: true },
    sender: { id: name, isBot: false },
    sentAt: now,
    messageId: id,
    text: filled.text,
    isAddressed: true,
    media: [],
    task: {
      label: `Webhook ${name}`,
      instructions: template,
      values: listValues(values),
      ...(deliver !== undefined && { deliver }),
      ...(isDirect && { isDirect }),
      ...(toolsets !== undefined && { toolsets }),
      ...(skills.length > 0 && { skills }),
    },
  };
}

/** For a route that says nothing of what is to be done. */
const describeUntold = (name: string): string =>
  `An event arrived by the webhook "${name}". Say in a few sentences what happened and what matters about it.\n\n{__raw__}`;
