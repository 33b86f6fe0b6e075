import { isInside, isTemporary, resolveTargetPath } from '../places/paths.ts';
import type { CommandRule } from '../call/call.ts';
import { isUnknown } from '../values/marks.ts';
import { ask, toWordSet, listOperands, askAboutVerbs } from './rows.ts';
import { NUMBERED, WGET_UPLOADS } from './sending.ts';

const LOCAL =
  /^(?:https?:\/\/)?(?:localhost|127(?:\.\d+){1,3}|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal|[\w-]+\.(?:local|test|localhost))(?:[:/]|$)/i;
const SOCKET = /^\/dev\/(?:tcp|udp)\//;
const isRemote = (word: string): boolean => /^(?:[\w.-]+@)?[\w.-]+:(?!\\)/.test(word) && !/^[a-z]:[\\/]/i.test(word);
/** Fed from its input, from a file, or from a form. */
const UPLOADS = /^(?:-T|--upload-file|-[a-zA-Z]*T|-d|--data(?:-binary|-raw|-urlencode)?|-F|--form|--post-file|--body-file|--json)$/;
const LOCAL_SOURCES = /^(?:echo|printf|jq|yq|date|seq|true)$/;

/** Debuggers that let anybody on the network run code. */
const DEBUG_PORT =
  /--inspect(?:-brk)?=(?:0\.0\.0\.0|\[?::\]?|\*)|^(?:gdbserver|lldb-server\s+\w+|dlv)\b.*(?:0\.0\.0\.0|\*|\s):\d|jdwp.*address=(?:\*|0\.0\.0\.0)/;

/** Programs that do nothing else but let others in, listen to the wire or knock at other machines. */
const DOORS = toWordSet(`
  aircrack aireplay-ng airmon-ng anydesk arp-scan arpspoof atftpd bettercap bore chisel dirb dirsearch dockerd dropbear dsniff dumpcap
  ettercap feroxbuster ffuf frpc frps gobuster goldeneye gost gotty gs-netcat hping3 hulk hydra in.telnetd in.tftpd inetd inlets iodine
  iodined localtunnel localxpose masscan mdk4 mitmdump mitmproxy msfconsole msfvenom ncrack nikto nuclei packetriot pagekite pinggy pwncat
  rathole redir responder rinetd rpcapd rustcat rustdesk serveo shellinabox shellinaboxd slowhttptest slowloris smbd sqlmap sshx sslh t50
  teamviewer telebit teleconsole telnetd thc-ssl-dos tmate ttyd upterm vncserver vsftpd weevely wetty wpscan wstunnel x11vnc xinetd xrdp
  Xvnc zmap
`);

/** Data on its way out, and doors opened for others to come in. */
export const NETWORK: readonly CommandRule[] = [
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
      const path = resolveTargetPath(word, place);
      return isUnknown(word) ? false : path !== undefined && path !== place.base && !isInside(path, place) && !isTemporary(path);
    };
    if (/^(?:curl|wget|http|https|xh)$/.test(name)) {
      if (args.some((word) => LOCAL.test(word))) return false;
      return args.some((word, index) => {
        const file = (name === 'wget' ? WGET_UPLOADS : UPLOADS).test(args[index - 1] ?? '')
          ? (/^(?:[^=@<]*=)?[@<](.+)$/.exec(word)?.[1] ?? (/T$|file$/.test(args[index - 1] ?? '') ? word : undefined))
          : /^--(?:post-file|body-file|upload-file)=(.+)$/.exec(word)?.[1];
        return file !== undefined && file !== '-' && outside(file);
      });
    }
    if (!/^(?:rsync|scp|sftp)$/.test(name) || !isRemote(listOperands(args).at(-1) ?? '')) return false;
    return listOperands(args)
      .slice(0, -1)
      .some((word) => !isRemote(word) && outside(word));
  }),
  ask('network_service', 'it opens a connection of the shell itself', (_name, _args, { writes, reads }) =>
    [...writes, ...reads].some((word) => SOCKET.test(word)),
  ),
  ask('network_service', 'it lets others in over the network', (name, args) => {
    const said = args.join(' ');
    if (/^(?:nc|ncat|netcat|nc\.\w+)$/.test(name))
      return (
        /(?:^|\s)-[a-zA-Z]*[lec]|--(?:listen|exec|sh-exec|lua-exec)/.test(said) &&
        !/^-\w*l\w*\s(?:-\w+\s)*(?:127\.0\.0\.1|localhost)\s\d+$/.test(said)
      );
    if (name === 'socat') return /EXEC|SYSTEM|LISTEN|OPENSSL-|PTY/i.test(said);
    if (name === 'ssh' || name === 'autossh')
      return /(?:^|\s)-[a-zA-Z]*[RDw]|(?:^|\s)-[a-zA-Z]*L\s*(?:0\.0\.0\.0|\*|\[::\]|:):?|GatewayPorts[= ]yes|(?:^|\s)-[a-zA-Z]*g[a-zA-Z]*\s.*-L/.test(
        said,
      );
    if (/^python[\d.]*$/.test(name))
      return (
        /-m\s+(?:http\.server|SimpleHTTPServer|pyftpdlib)/.test(said) &&
        /(?:--bind|-b)[\s=]+(?:0\.0\.0\.0|::)|(?:-d|--directory)[\s=]+(?:\/(?!tmp)|~)/.test(said)
      );
    if (name === 'kubectl') return /\b(?:proxy|port-forward)\b.*--(?:address|accept-hosts)[= ]['"]?(?!127\.|localhost)/.test(said);
    if (/^(?:node|bun|deno|java|gdbserver|lldb-server|dlv|ruby|php)$/.test(name) && DEBUG_PORT.test(`${name} ${said}`)) return true;
    if (name === 'rsync') return args.includes('--daemon');
    if (/^(?:git|hg|svnserve)$/.test(name)) return name === 'svnserve' || /^(?:daemon|serve|instaweb)$/.test(listOperands(args)[0] ?? '');
    if (name === 'nmap') return /\/\d+|-s[SUAXFN]|-O\b|--script|\d+-\d+\.|-iL/.test(said);
    if (name === 'php') return /-S\s+0\.0\.0\.0/.test(said);
    if (name === 'openssl') return args[0] === 's_server';
    if (/^(?:httpd|busybox-httpd)$/.test(name)) return !/127\.0\.0\.1/.test(said);
    if (
      /^(?:redis-server|mongod|mysqld|mysqld_safe|mariadbd|valkey-server|etcd|postgres|elasticsearch|memcached|node-red|influxd)$/.test(
        name,
      )
    )
      return /0\.0\.0\.0|bind_ip_all|protected-mode\s+no|--bind\s+\*|--skip-grant-tables|--skip-networking=0|--noauth/.test(said);
    if (/^[gmn]?awk$/.test(name)) return /\/inet\d?\/(?:tcp|udp)/.test(said);
    if (name === 'ruby') return /-run\s+-e\s*httpd/.test(said);
    return false;
  }),
  ask(
    'network_service',
    'it leaves a program running that talks to a machine without a name',
    (_name, args, { path, background, from }) =>
      path.includes('/') &&
      (background || from.some((each) => /^(?:nohup|setsid|daemonize)$/.test(each))) &&
      args.some((word) => NUMBERED.test(word)),
  ),
  ask(
    'resources',
    'it puts load on a machine that is not this one',
    (name, args) =>
      /^(?:ab|wrk2?|siege|hey|vegeta|oha|bombardier|autocannon|locust|artillery|k6|h2load|httperf|boom)$/.test(name) &&
      args.some((word) => /https?:\/\//.test(word) && !LOCAL.test(word.replace(/^.*?(?=https?:)/, ''))),
  ),
  ask(
    'network_service',
    'it opens this machine to others, or looks for doors in others',
    (name, args) => DOORS.has(name) && !args.includes('--help'),
  ),
  askAboutVerbs('network_service', 'it opens this machine to others', {
    ngrok: /^(?!version|config|help|--)/,
    cloudflared: /tunnel|access/,
    lt: /--port/,
    dnsmasq: /^(?!.*(?:--test|--version))/,
    code: /^tunnel\b|serve-web/,
    websocat: /-s\b|exec:|sh-c:/,
    zrok: /share/,
    expose: /share/,
    medusa: /(?:^|\s)-[hHuUMC]\b/,
    sshd: /^(?!.*-[tTV])/,
    tailscale: /\b(?:funnel|serve|up|set|ssh)\b/,
    'zerotier-cli': /join/,
    tcpdump: /^(?!.*(?:-r|--version|-h))/,
    tshark: /^(?!.*-r)/,
    upnpc: /-a/,
    'code-server': /0\.0\.0\.0/,
    jupyter: /0\.0\.0\.0|--ip[= ]?\*|allow-root.*--ip|NotebookApp\.token=['"]*(?:\s|$)/,
    xhost: /\+/,
    adb: /tcpip/,
    docker: /0\.0\.0\.0:(?:22|2375|5432|3306|6379|27017)/,
  }),
];
