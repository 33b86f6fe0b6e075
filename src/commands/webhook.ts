import { UsageError } from '../base/errors.ts';
import { toVisibleLine } from '../base/visible.ts';
import type { CommandContext } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import { SIGNATURE_SCHEMES } from '../base/sign-webhook.ts';
import type { AddedWebhook, WebhookLine } from '../contracts/services/webhooks.ts';

/** Whoever adds a route decides what words of strangers start, so none of this is for an agent. */
const FACTS = { category: 'safety', where: ['shell'], whileBusy: 'run', ownerOnly: true, needs: ['webhooks'] } as const;
const NAME = { kind: 'text', required: true, description: 'its name, as hermes webhook list shows it' } as const;

export const webhookList = defineCommand({
  ...FACTS,
  name: 'webhook list',
  summary: 'List webhooks: routes for events of other programs, and addresses that results go to',
  json: 'one JSON array',
  examples: ['hermes webhook list', "hermes webhook list --json | jq -r '.[].url'"],
  run: (_values, { webhooks }) => webhooks.list(),
  describe: (rows) => rows.map(describeWebhook).join('\n') || 'There are no webhooks. Add one with hermes webhook add NAME.',
});

function describeWebhook({
  name,
  direction,
  url,
  scheme,
  events = [],
  deliver = 'log',
  deliverOnly,
  from,
  description,
}: WebhookLine): string {
  const facts =
    direction === 'out' ? [] : [scheme ?? '', events.join(', '), `${deliverOnly === true ? 'delivered as it is' : 'result'} to ${deliver}`];
  const origin = from === 'settings' ? 'in the settings' : '';
  return toVisibleLine([direction, name, url, ...facts, origin, description ?? ''].filter((part) => part !== '').join('  '));
}

export const webhookAdd = defineCommand({
  ...FACTS,
  name: 'webhook add',
  aliases: ['webhook subscribe'],
  summary: 'Add a route for events of another program, or with --url an address that results go to',
  arguments: { name: { kind: 'text', required: true, description: 'a name of letters, digits, "-" and "_"' } },
  options: {
    prompt: {
      kind: 'text',
      prose: true,
      description: 'what to do with an event; {a.b} stands for a value of its JSON, {__raw__} for all of it',
    },
    events: { kind: 'text', description: 'only these events, as in issues.opened,push' },
    deliver: { kind: 'text', placeholder: 'target', description: 'where the result goes: a chat as for hermes send, webhook:NAME, or log' },
    deliverOnly: { kind: 'flag', description: 'send the filled prompt to the target as it is, without the agent' },
    skills: { kind: 'text', description: 'skills to follow, as in triage,review' },
    toolsets: { kind: 'text', description: 'toolsets in place of the few that webhooks have' },
    scheme: {
      kind: 'choice',
      choices: ['auto', ...SIGNATURE_SCHEMES, 'hmac'],
      description: 'how the sender signs; auto takes any of them',
    },
    signature: {
      kind: 'text',
      placeholder: 'form',
      description:
        'with --scheme hmac, where the signature stands, as in "X-Signature: sha256={hex}" or "X-Signature: t={timestamp},v1={base64}"',
    },
    signed: {
      kind: 'text',
      placeholder: 'form',
      description: 'with --scheme hmac, what is signed; {body} or {timestamp}.{body} when left out',
    },
    secret: { kind: 'flag', description: 'read a secret that the other side has made, in place of making one' },
    url: { kind: 'text', description: 'the address of a receiver: results can be delivered to webhook:NAME' },
    description: { kind: 'text', prose: true, description: 'a note for the list' },
  },
  json: 'as JSON, with the secret',
  examples: [
    'hermes webhook add github --scheme github --events pull_request.opened --deliver telegram --prompt "Review {pull_request.title}"',
    'hermes webhook add shop --scheme hmac --signature "X-Shop-Signature: sha256={hex}" --secret < secret.txt',
    'hermes webhook add alerts --url https://example.org/hook',
  ],
  run: async ({ name, secret, deliverOnly, events, skills, toolsets, ...rest }, { webhooks }, context) =>
    webhooks.add({
      name,
      ...rest,
      ...(secret === true && { secret: await readGiven(name, context) }),
      ...(deliverOnly === true && { deliverOnly }),
      ...(events !== undefined && { events: splitList(events) }),
      ...(skills !== undefined && { skills: splitList(skills) }),
      ...(toolsets !== undefined && { toolsets: splitList(toolsets) }),
    }),
  describe: describeAdded,
});

const splitList = (text: string): readonly string[] => text.split(',').flatMap((each) => each.trim() || []);

async function readGiven(name: string, { readSecret, signal }: Pick<CommandContext, 'readSecret' | 'signal'>): Promise<string> {
  if (readSecret === undefined) throw new UsageError(`pipe the secret in, as in: hermes webhook add ${name} --secret < secret.txt`);
  const given = (await readSecret({ name: `the secret of ${name}`, question: `The secret of ${name}?` }, signal)).trim();
  if (given === '') throw new UsageError('the secret is empty, so nothing was added.');
  return given;
}

const COUNTS: Readonly<Record<AddedWebhook['counts'], string>> = {
  now: 'The gateway that runs has it.',
  after_start: 'It counts once the gateway runs: hermes gateway start',
  after_restart: 'It counts once the gateway was restarted: hermes gateway restart',
  never_while_off: 'Webhooks are switched off. Set platforms.webhook.enabled to true (hermes config edit), then restart the gateway.',
};
function describeAdded({ name, direction, url, secret, counts }: AddedWebhook): string {
  const shown = secret === undefined ? [] : [`Secret: ${secret}`, 'It is shown this once. Give it to the other side.'];
  const use = direction === 'in' ? `Events go to: ${url}` : `Results go to ${url} when they are delivered to webhook:${name}.`;
  return [toVisibleLine(use), ...shown, COUNTS[counts]].join('\n');
}

/** `ok: false` when it was not taken. */
export const webhookTest = defineCommand({
  ...FACTS,
  name: 'webhook test',
  summary: 'Send a signed event to a route, or a message to an address; without a gateway, say what would become of it',
  arguments: { name: NAME },
  options: {
    payload: { kind: 'text', prose: true, description: 'the JSON to send; - reads it from stdin' },
    event: { kind: 'text', description: 'the name of the event, such as issues' },
  },
  json: 'as JSON',
  examples: ['hermes webhook test github --event issues --payload - < issue.json', 'hermes webhook test alerts'],
  run: ({ name, payload, event }, { webhooks }, { readPiped, signal }) => {
    const words = payload === '-' ? (readPiped?.() ?? '') : payload;
    return webhooks.test(name, { ...(words !== undefined && { payload: words }), ...(event !== undefined && { event }) }, signal);
  },
  describe: ({ ok, why, url, status, answer }) => {
    const head = why ?? `Sent to ${url}: ${ok ? 'taken' : 'not taken'}${status === undefined ? '' : ` (${status})`}.`;
    return `${toVisibleLine(head)}\n${answer}`;
  },
});

export const webhookRemove = defineCommand({
  ...FACTS,
  name: 'webhook remove',
  aliases: ['webhook delete'],
  summary: 'Remove a webhook that was added by command',
  arguments: { name: NAME },
  json: 'as JSON',
  examples: ['hermes webhook remove github'],
  run: ({ name }, { webhooks }) => webhooks.remove(name),
  describe: ({ name, direction }) =>
    toVisibleLine(`Removed ${name}. ${direction === 'in' ? 'Its events are refused' : 'Nothing is sent there'} from now on.`),
});
