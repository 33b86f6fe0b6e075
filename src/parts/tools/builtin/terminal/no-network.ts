import { formatHostKey, type UnreachedHost } from '../../../../contracts/wall.ts';
/** What programs say when they reach nobody. */
const UNREACHED =
  /could ?n[o']t resolve|name resolution|name or service not known|network is unreachable|no address associated|no route to host|ENOTFOUND|EAI_AGAIN|ENETUNREACH|getaddrinfo|unknown host|nodename nor servname|failed to (?:connect|fetch|download)|unable to (?:access|connect|resolve)|could ?n[o']t connect|connection (?:refused|timed out)|temporary failure|max retries exceeded|no such host|dial tcp/i;

/** Programs that mean a network even when they do not say what failed. */
const NETWORKED =
  /(?:^|[\s;&|(])(?:curl|wget|ping|ssh|scp|rsync|telnet|nc|dig|nslookup|git\s+(?:clone|fetch|pull|push|ls-remote)|(?:npm|pnpm|yarn|bun)\s+(?:i|ci|install|add|update|publish)|pip3?\s+(?:install|download)|uv\s+(?:add|sync|pip)|cargo\s+(?:install|fetch|update)|go\s+(?:get|install)|apt(?:-get)?\s+(?:update|install)|(?:apk|brew|dnf|yum)\s+\w+|gh)(?=[\s;&|)]|$)/;

/** What was allowed and could not be reached: a program that went through the proxy knows a number alone. */
export const describeUnreached = (hosts: readonly UnreachedHost[]): string =>
  `[${hosts.map((host) => `${formatHostKey(host)} could not be reached: ${host.why}.`).join(' ')}]`;

export const NO_NETWORK = '[Commands here have no network. That is why this failed; trying again will not help.]';

/** A line for a failed command in a place without network, when the lack of one is a likely cause. */
export const describeMissingNetwork = (command: string, output: string): string | undefined =>
  UNREACHED.test(output.slice(-20_000)) || NETWORKED.test(command.slice(0, 20_000)) ? NO_NETWORK : undefined;
