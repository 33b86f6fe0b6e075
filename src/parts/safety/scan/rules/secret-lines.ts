/** A line that carries a secret to a machine that is not its own: a network command, a secret, a far address. */
export function sendsSecret(line: string): boolean {
  if (!NETWORK.test(line)) return false;
  const hosts = Array.from(line.matchAll(ADDRESS), ([, host = '']) => host);
  const far = hosts.filter((host) => !LOCAL.test(host));
  if (hosts.length > 0 ? far.length === 0 : !FAR_NAME.test(line)) return false;
  const login = line.replace(OWN_LOGIN, ' ');
  if (FILES.some((files) => files.test(login)) && SENDS.test(line)) return true;
  return Array.from(line.matchAll(VARIABLE)).some(({ index, 1: name = '' }) => {
    return !far.every((host) => isOwn(name, host, inHeader(line, index)));
  });
}

const NETWORK =
  /\b(?:curl|wget|invoke-webrequest|invoke-restmethod|iwr|irm|fetch|nc|ncat|netcat|dig|nslookup|scp|sftp|ftp|https?\s+(?:get|post|put)|xh|rclone|requests\.\w+|axios|urlopen|sendbeacon|mail|sendmail|mutt|socat|telnet)\b/;
const ADDRESS = /https?:\/\/(?:[^\s/@"'`]{1,80}@)?([^\s/:?#"'`\\|;)]{1,100})/g;
const LOCAL = /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|\[::1\]|[\w.-]+\.local|\$\{?\w{0,40}(?:host|url|server)?\}?)$/;
const FAR_NAME = /\b\d{1,3}(?:\.\d{1,3}){3}\b|[\w-]{1,63}\.[a-z]{2,24}\b/;
const VARIABLE =
  /(?:\$\{?\(?(?:env:|\{)?|%|process\.env\.|environ(?:\.get)?[[(]["'])(\w{0,40}(?:key|token|secret|passw(?:or)?d|credentials?|api)\w{0,20})/g;

/** A variable's name says whom it is for: a vendor's hosts are known, and `?key=$SHOP_TOKEN` may go to `api.shop.example.com`. */
function isOwn(name: string, host: string, header: boolean): boolean {
  const words = name.split('_').filter((word) => !GENERIC.test(word));
  const vendor = words.map((word) => VENDORS.get(word)).find((domains) => domains !== undefined);
  if (vendor !== undefined) return vendor.some((domain) => host === domain || host.endsWith(`.${domain}`));
  const labels = host.split(/[.-]/);
  if (words.length === 0) return header && labels.some((label) => OWN_SERVICES.has(label));
  // A project knows what its services are called; in a body or an address the name must fit.
  return header || words.some((word) => word.length > 2 && labels.includes(word));
}
const OWN_SERVICES = new Set(['api', 'auth', 'staging', 'internal', 'dev', 'ci']);
const GENERIC = /^(?:api|auth|access|bearer|secret|session|user|my|your|key|keys|token|tokens|password|passwd|credentials?|id|)$/;

const VENDORS: ReadonlyMap<string, readonly string[]> = new Map(
  `github github.com githubusercontent.com, gh github.com, gitlab gitlab.com, openai openai.com, anthropic anthropic.com,
  openrouter openrouter.ai, gemini googleapis.com, google googleapis.com google.com, groq groq.com, mistral mistral.ai, hf huggingface.co,
  npm npmjs.org npmjs.com, pypi pypi.org, cargo crates.io, stripe stripe.com, slack slack.com, telegram telegram.org,
  discord discord.com, aws amazonaws.com, azure azure.com windows.net, cloudflare cloudflare.com`
    .split(/,\s+/)
    .map((row) => row.split(' '))
    .map(([name = '', ...domains]) => [name, domains]),
);

const HEADER =
  /(?:-h|--header|-headers)[= ]{1,2}["']?[^"'|;&]{0,200}$|["']?(?:authorization|x-api-key|x-auth-token|private-token)["']?\s*[:=][^,}]{0,100}$/;
const inHeader = (line: string, at: number): boolean => HEADER.test(line.slice(Math.max(0, at - 220), at));

/** Files that are a login and stay here: a client certificate, a key for ssh. */
const OWN_LOGIN = /(?:--cert|--key|--cacert|--netrc-file|-i|--identity)[= ]{1,2}(?:"[^"]{0,300}"|'[^']{0,300}'|[^\s|;&]{1,300})/g;

const FILES: readonly RegExp[] = [
  /document\.cookie|localstorage/,
  /(?<!\w)\.env(?!\.(?:example|sample|template|dist|test))\b(?!\w|\()|\.aws\b|(?:^|[/\s@=])id_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)|\.netrc|\.pgpass|\.git-credentials|\.npmrc|\.pypirc|\.kube\/config|\.docker\/config|\.ssh\b(?!\/(?:known_hosts|config\b|[\w.-]+\.pub))|credentials\b(?!\.yml\.enc)|\/etc\/(?:shadow|passwd)|\.gnupg|share\/keyrings|cookies\.sqlite|logins\.json|\.password-store|wallet\.dat/,
  // The whole environment.
  /\$\((?:env|printenv|set)\b|(?:^|[\s;`(&])(?:env|printenv|export -p)\s*\|(?!\s*(?:sort|grep -c|wc|less)\s*$)|<\((?:env|printenv)|stringify\(process\.env\)|(?:json|data|dict)\W{0,3}\(?(?:dict\()?os\.environ\b(?!\[|\.get)/,
];

/** Something goes out: a body, a query, an upload, a pipe into the network, or a name that is looked up. */
const SENDS =
  /(?:\s-d|--data\S*|-f\s|-f=|--form|-t\s|--upload-file|--post-\w+|--body-\w+|-body|body\s*[:=]|json\s*=|data\s*=|files\s*=|\?[\w=&$%{}.~-]{0,200}[=$]|method|\bpost\b|\bput\b|\|\s*(?:nc|ncat|curl|wget|mail|socat|openssl)|<\s|@|\?["']?\s*\+|\$\(|\b(?:dig|nslookup|scp|sftp|mail|rclone)\b|\/\$\{?\w)/;
