/** Ports of the sandbox's own loopback on which we listen. Taken before the first command, so nobody inside can have them. */
export const PROXY_PORT = 14_128;
export const GIT_SSH_PORT = 14_129;

const PROXY = `http://127.0.0.1:${PROXY_PORT}`;
/** What lies inside is reached directly: servers of the project itself, and ports of this machine that were granted. */
const DIRECT = 'localhost,127.0.0.1,127.0.0.0/8,::1,::ffff:127.0.0.1,0.0.0.0';

/** How programs are told of the proxy, beyond what nearly all of them read. One row for what needs its own words. */
const ROWS: readonly (readonly [name: string, value: string])[] = [
  // Not as SOCKS, which the port speaks as well: some libraries fail over a kind of proxy they have no code for.
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'].map((name) => [name, PROXY] as const),
  ...['NO_PROXY', 'no_proxy'].map((name) => [name, DIRECT] as const),
  // fetch and the http modules of Node.js heed the variables above only when told to.
  ['NODE_USE_ENV_PROXY', '1'],
  ['npm_config_proxy', PROXY],
  ['npm_config_https_proxy', PROXY],
  ['npm_config_noproxy', DIRECT],
  ['YARN_HTTP_PROXY', PROXY],
  ['YARN_HTTPS_PROXY', PROXY],
  ['CARGO_HTTP_PROXY', PROXY],
  ['RSYNC_PROXY', `127.0.0.1:${PROXY_PORT}`],
];

/** Java reads properties, not variables; Maven and Gradle hand these on to themselves. */
const JAVA = [
  ...['http', 'https'].flatMap((scheme) => [`-D${scheme}.proxyHost=127.0.0.1`, `-D${scheme}.proxyPort=${PROXY_PORT}`]),
  `-Dhttp.nonProxyHosts=${['localhost', '127.*', '[::1]', '0.0.0.0'].join('|')}`,
].join(' ');

/** Variables for commands. Options the owner gave Java stay in front of ours. */
export const createProxyVariables = (env: Readonly<Record<string, string | undefined>>): Record<string, string> => ({
  ...Object.fromEntries(ROWS),
  ...Object.fromEntries(
    ['MAVEN_OPTS', 'GRADLE_OPTS', 'SBT_OPTS'].map((name) => [
      name,
      [env[name], JAVA].filter((part) => part !== undefined && part !== '').join(' '),
    ]),
  ),
});
