import type { CommandRule } from '../call/call.ts';
import { soundsLikeLoss } from './loss.ts';
import { ask, listOperands } from './rows.ts';

/** A service somebody is writing here, not a store that happens to speak HTTP. */
const isOwnServer = (args: readonly string[]): boolean =>
  args.some((word) =>
    /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?::(?!9200|9201|8500|5984|2379|2375|2376|27017|6333|7474|15672|8086|8983|19530|9000|8200|4001|10250)\d+)?\/\w/.test(
      word,
    ),
  );
/** A request in GraphQL that takes something away. */
const MUTATION = /\bmutation\b[^]{0,200}\b(?:delete|remove|archive|destroy|purge|revoke|transfer|unlink|disable)[A-Z]\w*\s*\(/;
/** Requests by which something is gone at the other end. */
const LOSING: readonly RegExp[] = [
  /(?:-X|--request|--method)\s*=?\s*["']?DELETE\b/i,
  /(?:^|\s)-XDELETE/i,
  /(?:^|\s)DELETE\s/,
  /^(?:-\S+\s+)*(?:delete|put|patch)\s/i,
  /(?:-X|--request|--method)\s*=?\s*["']?(?:PUT|PATCH)\b.*(?::\/\/(?!localhost|127\.)|_cluster|_settings|_security|_snapshot|_ilm)/i,
  /:\/\/(?:localhost|127\.0\.0\.1)?:?(?:2375|10250|8500\/v1\/agent\/(?:leave|force-leave))\S*.*(?:-d|--data|POST)/,
  /<delete>|_delete_by_query|\/_close\b|FLUSHALL|dropDatabase|\/(?:purge|truncate|wipe|flush|shutdown|destroy|prune|leave|terminate|kill)[\w-]*(?:[?\s"']|$)/i,
];

/** What a forge may be asked to change in its own language of queries; anything else changes more than a conversation. */
const TALK =
  /\bmutation\b[^{]*\{\s*(?:\w+\s*:\s*)?(?:add(?:Comment|Reaction|Labels\w*|Assignees\w*|PullRequestReview\w*|Discussion\w*|ProjectV2\w*)|create(?:Issue|PullRequest|Discussion|Label|ProjectV2)\w*|update(?:Issue|PullRequest|ProjectV2\w*|Discussion)\w*|resolveReviewThread|requestReviews|markPullRequestReadyForReview|submitPullRequestReview|closeIssue|reopenIssue)\b/;
/** Where a request becomes a message to people. */
const MAILBOXES =
  /\/\/(?:hooks\.slack\.com|slack\.com\/api\/chat|(?:\w+\.)?discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks|api\.telegram\.org\/bot|[\w.-]+\.webhook\.office\.com|outlook\.office\.com\/webhook|api\.(?:sendgrid|mailgun|postmarkapp|twilio|resend|pushover|pagerduty)\.\w+|chat\.googleapis\.com|ntfy\.sh|graph\.facebook\.com|api\.(?:twitter|x)\.com)/;
const BODY = /^(?:-d|--data(?:-\w+)?|-F|--form|--json|-X|--request|--post-data|-XPOST)(?:=|$)/;

/** What is asked of other services over the network. */
export const REQUESTS: readonly CommandRule[] = [
  ask(
    'data_sent',
    'it sends a message to people',
    (name, args) =>
      /^(?:curl|wget|http|https|xh|curlie)$/.test(name) &&
      args.some((word) => MAILBOXES.test(word)) &&
      args.some((word) => BODY.test(word)),
  ),
  ask('database_loss', 'it deletes something by a request to another service', (name, args) => {
    if (!/^(?:curl|http|https|xh|wget|curlie)$/.test(name) || isOwnServer(args)) return false;
    return LOSING.some((request) => request.test(args.join(' ')));
  }),
  ask(
    'database_loss',
    'it asks another service to delete something, or an engine to act for it',
    (name, args) =>
      (/^(?:grpcurl|grpc_cli|evans|buf)$/.test(name) &&
        !isOwnServer(args.map((word) => `${word}/x`)) &&
        listOperands(args)
          .slice(-1)
          .some((word) => soundsLikeLoss(word))) ||
      args.some((word) => MUTATION.test(word)) ||
      (/^(?:gh|glab)$/.test(name) && args.includes('graphql') && args.some((word) => /\bmutation\b/.test(word) && !TALK.test(word))) ||
      (name === 'curl' &&
        args.some((word) => /(?:docker|podman|containerd)\.sock$/.test(word)) &&
        args.some((word) => /^(?:-X|--request|-d|--data\S*|-X\w+)$/.test(word))),
  ),
];
