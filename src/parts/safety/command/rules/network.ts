import { isInside, isTemporary, target } from '../places/paths.ts';
import type { Rule } from '../run/call.ts';
import { isUnknown, MARK } from '../values/marks.ts';
import { ask, operands, verbs } from './rows.ts';

const LOCAL =
  /^(?:https?:\/\/)?(?:localhost|127(?:\.\d+){1,3}|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal|[\w-]+\.(?:local|test|localhost))(?:[:/]|$)/i;
const SOCKET = /^\/dev\/(?:tcp|udp)\//;
const isRemote = (word: string): boolean => /^(?:[\w.-]+@)?[\w.-]+:(?!\\)/.test(word) && !/^[a-z]:[\\/]/i.test(word);
/** Fed from its input, from a file, or from a form. */
const UPLOADS = /^(?:-T|--upload-file|-[a-zA-Z]*T|-d|--data(?:-binary|-raw|-urlencode)?|-F|--form|--post-file|--body-file|--json)$/;
const LOCAL_SOURCES = /^(?:echo|printf|jq|yq|date|seq|true)$/;

/** Data on its way out, and doors opened for others to come in. */
export const NETWORK: readonly Rule[] = [
  ask('data_sent', 'it sends what it is fed to another machine', (name, args, { piped, from, reads }) => {
    if (!piped && reads.length === 0) return false;
    if (/^(?:nc|ncat|netcat|socat|telnet)$/.test(name)) return !args.some((word) => LOCAL.test(word));
    if (name === 'openssl') return args[0] === 's_client' && from.some((program) => program.endsWith('sh'));
    if (/^(?:mail|mailx|sendmail|mutt|msmtp|telegram-send|transfer|termbin|croc|wormhole)$/.test(name)) return true;
    if (!/^(?:curl|wget|http|https|xh)$/.test(name) || args.some((word) => LOCAL.test(word))) return false;
    const takes = args.some(
      (word) => /^(?:@-|-|f=<-|[^=]*=[@<]-|@\/dev\/stdin)$/.test(word) || /=[@<]?-$/.test(word) || /^-\w*T-?$|^-d@-$/.test(word),
    );
    return takes && !from.every((program) => LOCAL_SOURCES.test(program));
  }),
  ask('data_sent', 'it sends files from outside the working folder to another machine', (name, args, _call, place) => {
    const outside = (word: string): boolean => {
      const path = target(word, place);
      return isUnknown(word) ? false : path !== undefined && !isInside(path, place) && !isTemporary(path);
    };
    if (/^(?:curl|wget|http|https|xh)$/.test(name)) {
      if (args.some((word) => LOCAL.test(word))) return false;
      return args.some((word, index) => {
        const file = UPLOADS.test(args[index - 1] ?? '')
          ? (/^(?:[^=@<]*=)?[@<](.+)$/.exec(word)?.[1] ?? (/T$|file$/.test(args[index - 1] ?? '') ? word : undefined))
          : /^--(?:post-file|body-file|upload-file)=(.+)$/.exec(word)?.[1];
        return file !== undefined && file !== '-' && outside(file);
      });
    }
    if (!/^(?:rsync|scp|sftp)$/.test(name) || !isRemote(operands(args).at(-1) ?? '')) return false;
    return operands(args)
      .slice(0, -1)
      .some((word) => !isRemote(word) && outside(word));
  }),
  ask(
    'data_sent',
    'it packs files from outside the working folder for somebody else',
    (name, args, { feeds }, place) =>
      feeds &&
      /^(?:tar|zip|cpio|7z)$/.test(name) &&
      !args.some((word) => /^-?[a-zA-Z]*[xt][a-zA-Z]*f?$|^--(?:extract|list)/.test(word)) &&
      operands(args).some(
        (word) => /^[/~]/.test(word) && !isInside(target(word, place) ?? place.base, place) && !isTemporary(target(word, place) ?? ''),
      ),
  ),
  ask(
    'data_sent',
    'it copies files from outside the working folder to the cloud',
    (name, args, _call, place) =>
      /^(?:aws|gsutil|rclone|mc|s3cmd|az|azcopy|gcloud)$/.test(name) &&
      /\b(?:cp|sync|copy|put|upload)\b/.test(args.join(' ')) &&
      operands(args).some(
        (word) =>
          /^[/~]/.test(word) &&
          !isInside(target(word, place) ?? place.base, place) &&
          !isTemporary(target(word, place) ?? '') &&
          word !== operands(args).at(-1),
      ),
  ),
  verbs('data_sent', 'it hands data to others for everybody to see', {
    gh: /gist\s+create|repo\s+edit.*--visibility|repo\s+create.*--public/,
    glab: /snippet\s+create/,
    git: /\bpush\b.*--mirror/,
    mail: /(?:^|\s)-[aA]\s/,
    mutt: /(?:^|\s)-a\s/,
    swaks: /--attach/,
    croc: /send/,
    wormhole: /send/,
    aws: /s3\s+(?:cp|sync)\s+(?:~|\/(?!tmp))\S*\s+s3:/,
    ipfs: /add/,
    pastebinit: true,
    transfer: true,
    onionshare: true,
  }),
  ask('network_service', 'it opens a connection of the shell itself', (_name, _args, { writes, reads }) =>
    [...writes, ...reads].some((word) => SOCKET.test(word)),
  ),
  ask('network_service', 'it lets others in over the network', (name, args) => {
    const said = args.join(' ');
    if (/^(?:nc|ncat|netcat|nc\.\w+)$/.test(name)) return /(?:^|\s)-[a-zA-Z]*[lec]|--(?:listen|exec|sh-exec|lua-exec)/.test(said);
    if (name === 'socat') return /EXEC|SYSTEM|LISTEN|OPENSSL-|PTY/i.test(said);
    if (name === 'ssh' || name === 'autossh') return /(?:^|\s)-[a-zA-Z]*[RDw]/.test(said);
    if (/^python[\d.]*$/.test(name))
      return (
        /-m\s+(?:http\.server|SimpleHTTPServer|pyftpdlib)/.test(said) &&
        /(?:--bind|-b)[\s=]+(?:0\.0\.0\.0|::)|(?:-d|--directory)[\s=]+(?:\/(?!tmp)|~)/.test(said)
      );
    if (name === 'php') return /-S\s+0\.0\.0\.0/.test(said);
    if (name === 'openssl') return args[0] === 's_server';
    if (/^(?:httpd|busybox-httpd)$/.test(name)) return !/127\.0\.0\.1/.test(said);
    if (/^(?:redis-server|mongod|mysqld|etcd|postgres|elasticsearch|memcached|node-red|influxd)$/.test(name))
      return /0\.0\.0\.0|bind_ip_all|protected-mode\s+no|--bind\s+\*/.test(said);
    if (/^[gmn]?awk$/.test(name)) return /\/inet\d?\/(?:tcp|udp)/.test(said);
    if (name === 'ruby') return /-run\s+-e\s*httpd/.test(said);
    return false;
  }),
  verbs('network_service', 'it opens this machine to others', {
    ngrok: /^(?!version|config|help|--)/,
    cloudflared: /tunnel|access/,
    lt: /--port/,
    localtunnel: true,
    ttyd: true,
    gotty: true,
    wetty: true,
    shellinabox: true,
    sshd: /^(?!.*-[tTV])/,
    dropbear: true,
    telnetd: true,
    'in.telnetd': true,
    vsftpd: true,
    dockerd: true,
    frpc: true,
    frps: true,
    chisel: true,
    bore: true,
    tailscale: /\b(?:funnel|serve|up|set|ssh)\b/,
    'zerotier-cli': /join/,
    x11vnc: true,
    vncserver: true,
    Xvnc: true,
    tmate: true,
    teleconsole: true,
    rpcapd: true,
    xrdp: true,
    smbd: true,
    inetd: true,
    xinetd: true,
    tcpdump: /^(?!.*(?:-r|--version|-h))/,
    tshark: /^(?!.*-r)/,
    dumpcap: true,
    ettercap: true,
    bettercap: true,
    arpspoof: true,
    dsniff: true,
    mitmproxy: true,
    mitmdump: true,
    responder: true,
    upnpc: /-a/,
    'code-server': /0\.0\.0\.0/,
    jupyter: /0\.0\.0\.0|--ip[= ]?\*|allow-root.*--ip|NotebookApp\.token=['"]*(?:\s|$)/,
    xhost: /\+/,
    adb: /tcpip/,
    redir: true,
    rinetd: true,
    docker: /0\.0\.0\.0:(?:22|2375|5432|3306|6379|27017)/,
    iodine: true,
    iodined: true,
    msfconsole: true,
    msfvenom: true,
    weevely: true,
    hping3: true,
    slowloris: true,
  }),
  ask('remote_code', 'it installs or runs code from an address that nobody vouches for', (name, args) => {
    const said = args.join(' ');
    if (/^(?:pip\d?|pipx|uv)$/.test(name))
      return /(?:--(?:extra-)?index-url|-i|--index|--find-links|-f)[= ]+http:|--trusted-host|(?:^|\s)http:\/\/|(?:^|\s)https:\/\/(?!github\.com|files\.pythonhosted|download\.pytorch)\S+\.(?:whl|tar\.gz|zip)/.test(
        said,
      );
    if (/^python[\d.]*$/.test(name)) return /-m\s+pip\b.*(?:--trusted-host|index-url[= ]+http:|\shttp:)/.test(said);
    if (/^(?:npm|npx|yarn|pnpm|bunx?|pnpx)$/.test(name))
      return (
        /(?:^|\s)(?:git\+)?https?:\/\/\S+|--registry[= ]+http:/.test(said) &&
        !/localhost|127\.0\.0\.1/.test(said) &&
        !/^(?:view|info|audit|ping|config get)/.test(said)
      );
    if (name === 'deno' || name === 'bun') return /(?:run|install|x)\b.*\shttps?:\/\//.test(said);
    if (name === 'go') return /^run\s+(?!\.|-)\S+\.\S+\/\S+@/.test(said);
    if (/^(?:gem|cargo|apt-key|rpm|dnf|yum|apt|apt-get|dpkg|apk|snap|flatpak|helm|kubectl|terraform|code|brew)$/.test(name))
      return /(?:^|\s)(?:--(?:source|git|from|index)[= ]+)?http:\/\/\S+|--allow-untrusted|--allow-unauthenticated|--nogpgcheck|--force-yes|--no-gpg-check|--no-verify-ssl|(?:install|apply|add|create)\s.*https?:\/\/\S+\.(?:rpm|deb|apk|vsix)|--dangerous/.test(
        said,
      );
    if (name === 'docker') return /--disable-content-trust=true|run.*http:/.test(said);
    return (
      (name === 'conda' && /-c\s+http:/.test(said)) ||
      (name === 'poetry' && /source\s+add\s.*http:/.test(said)) ||
      name === 'regsvr32' ||
      name === 'mshta' ||
      name === 'certutil' ||
      name === 'bitsadmin' ||
      name === 'add-apt-repository'
    );
  }),
  ask(
    'remote_code',
    'it runs what another command puts out',
    (name, args) => /^(?:php|lua|Rscript)$/.test(name) && args.some((word) => word.includes(MARK.unknown) && /^-[er]/.test(word)),
  ),
];
