import type { Rule } from '../run/call.ts';
import { ask, operands, verbs } from './rows.ts';

/** Guards switched off, traces removed, the machine's own settings turned. */
export const GUARDS: readonly Rule[] = [
  verbs('guard_off', 'it turns off a guard of this machine', {
    setenforce: true,
    ufw: /\b(?:disable|reset|delete|default\s+allow|allow|--force)\b/,
    iptables: /(?:^|\s)(?:-[FXDPAIZ]\b|--(?:flush|delete|policy|append|insert|delete-chain))/,
    ip6tables: /(?:^|\s)(?:-[FXDPAI]\b|--(?:flush|delete|policy|append|insert))/,
    'iptables-restore': true,
    nft: /\b(?:flush|delete|add|insert|destroy|reset|-f)\b/,
    'firewall-cmd': /--(?:panic|remove|add|zone=trusted|set-default|reload|complete-reload|permanent)/,
    pfctl: /-[dF]\b|-d\b/,
    ebtables: /-F/,
    ipset: /flush|destroy/,
    netsh: /firewall|advfirewall/i,
    socketfilterfw: /off/,
    auditctl: /-e\s*0|-D|-d/,
    'aa-disable': true,
    'aa-teardown': true,
    'aa-complain': true,
    apparmor_parser: /-R|--remove/,
    semanage: true,
    setsebool: true,
    semodule: /-[rd]|-B/,
    csrutil: true,
    clamscan: /--remove/,
    rkhunter: /--propupd/,
    aide: /--init|--update/,
    tripwire: /--update|--init/,
    snort: /-[kK]/,
    auditbeat: true,
    falcoctl: /delete/,
    debsums: /--generate/,
    'ssh-keygen': /(?:^|\s)-R\b/,
    tailscale: /\b(?:down|logout|set\b.*--ssh)/,
    gpgconf: /--kill/,
    spctl: /disable|--master-disable|--global-disable/,
    nvram: /^(?!-p)/,
    'fail2ban-client': /stop|unban|set/,
    'update-crypto-policies': /--set/,
    mokutil: /--(?:disable|import|delete|reset)/,
    tmutil: /disable/,
    sysctl: /-w|=|--write|-p|--system/,
    modprobe: true,
    rmmod: true,
    insmod: true,
    kmod: /load|unload/,
    dkms: /remove/,
    ethtool: /-s|--reset|-K/,
    'Set-MpPreference': true,
    'Set-ExecutionPolicy': /bypass|unrestricted/i,
    wevtutil: /\bcl\b/i,
    fsutil: /usn/i,
  }),
  verbs('traces', 'it removes traces of what was done', {
    history: /(?:^|\s)-[a-z]*[cwd]/,
    journalctl: /--(?:vacuum|rotate|flush|relinquish|sync)/,
    dmesg: /(?:^|\s)-[a-zA-Z]*[cCDn]\b|--clear|--console/,
    lastlog: /-C|--clear/,
    logrotate: /-f|--force/,
    wtmpclean: true,
    utmpdump: /-r/,
    log: /erase/,
    auditd: true,
    syslogd: true,
  }),
  ask(
    'traces',
    'it keeps the shell from remembering',
    (name, args, { settings }) =>
      (name === 'unset' && args.some((word) => /^(?:HISTFILE|HISTSIZE|HISTFILESIZE|PROMPT_COMMAND|TMOUT|AUDIT\w*)$/.test(word))) ||
      [...settings, ...(/^(?:export|declare|typeset|readonly|local)$/.test(name) ? args : [])].some((word) =>
        /^(?:HISTFILE=(?:\/dev\/null)?$|HISTSIZE=0|HISTFILESIZE=0|HISTCONTROL=ignore(?:space|both):.*\*|HISTCONTROL=.*:|HISTIGNORE=.*\*)/.test(
          word,
        ),
      ) ||
      (name === 'set' && /(?:^|\s)\+o\s+history/.test(args.join(' '))) ||
      (name === 'shopt' && /-u\s+(?:histappend|cmdhist)/.test(args.join(' '))),
  ),
  ask('preload', 'it makes programs load or run something else first', (name, args, { settings }) =>
    [...settings, ...(/^(?:export|env|declare|typeset|sudo)$/.test(name) ? args : [])].some(
      (word) =>
        /^(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_ENV|ENV|PROMPT_COMMAND|PERL5OPT|PERL5DB|RUBYOPT|PYTHONSTARTUP|PYTHONWARNINGS|GIT_SSH_COMMAND|GIT_SSH|GIT_EXTERNAL_DIFF|GIT_PROXY_COMMAND|GIT_CONFIG(?:_GLOBAL|_SYSTEM|_COUNT)?|GIT_TEMPLATE_DIR|GIT_ASKPASS|SSH_ASKPASS|LESSOPEN|LESSCLOSE|PS4|BROWSER|NODE_OPTIONS|JAVA_TOOL_OPTIONS|HERMES_YOLO_MODE)=(?!$)/.test(
          word,
        ) && !isUsualSetting(word),
    ),
  ),
  verbs('network_settings', "it changes this machine's network", {
    ip: /\b(?:link\s+set\b.*\b(?:down|up|address|promisc)|link\s+(?:delete|del|add)|addr(?:ess)?\s+(?:flush|del|add|replace)|a\s+(?:flush|del|add)|route\s+(?:flush|del|add|replace|change)|r\s+(?:flush|del|add)|rule\s+(?:add|del|flush)|neigh\s+(?:flush|add|del)|netns\s+(?:del|add|exec)|tunnel\s+add)\b/,
    ifconfig: /\b(?:down|up|promisc|netmask|hw|\d+\.\d+)\b/,
    route: /\b(?:add|del|delete|flush|change)\b/,
    nmcli: /\b(?:off|down|delete|modify|disconnect|add|reload|connect|up)\b/,
    ifdown: true,
    ifup: true,
    iwconfig: /\s\S+\s/,
    rfkill: /block/,
    networksetup: /-set|-remove|-create/,
    resolvectl: /\b(?:dns|domain|revert|flush-caches|dnssec)\b/,
    hostnamectl: /set-|hostname\s/,
    hostname: /^(?!-)\S|(?:^|\s)(?:-F|--file|-b)\b/,
    domainname: /\S/,
    timedatectl: /set-/,
    hwclock: /-w|--systohc|--set|-s/,
    date: /(?:^|\s)(?:-s|--set)\b|^\d{8,}/,
    localectl: /set-/,
    tc: /\b(?:add|del|replace|change)\b/,
    wg: /set|setconf|addconf/,
    'wg-quick': /up|down/,
    openvpn: /--(?:up|down|script-security)|^(?!--version|--help)/,
    brctl: /add|del/,
    dhclient: true,
    scutil: /--set/,
    macchanger: true,
    arp: /-[sd]\b/,
    iw: /\bset\b/,
  }),
  verbs('mounts', 'it mounts or releases a file system', {
    mount: /^(?!$|-l$|-V$|--version$|-h$|-t\s+\S+$|--help$).+/,
    umount: true,
    fusermount: true,
    fusermount3: true,
    losetup: /^(?!-[aljL]|--(?:list|all)|$)/,
    pivot_root: true,
    switch_root: true,
    sshfs: true,
    cryptsetup: /open|close|luksOpen/,
    udisksctl: /^(?!info|status|dump|monitor)/,
    exportfs: /-[aruo]/,
    hdiutil: /attach|detach|eject|create.*-ov/,
    zpool: /import|export|create|add|attach|remove|replace/,
    eject: true,
    'systemd-mount': true,
    quotaoff: true,
  }),
  ask('guard_off', 'it goes round a check', (name, args, { settings }) => {
    const said = args.join(' ');
    if (name === 'git')
      return (
        /\b(?:commit|push|merge|am|rebase|cherry-pick)\b.*--no-verify\b/.test(said) ||
        /\bcommit\s+(?:.*\s)?-[a-z]*n[a-z]*(?:\s|$)/.test(said) ||
        /\bconfig\b.*(?:commit\.gpgsign|tag\.gpgsign|transfer\.fsckobjects|receive\.deny\w+|protocol\.\w+\.allow)\s+\S+|\bconfig\b.*safe\.directory\s+['"]?[*\uE001]/i.test(
          said,
        ) ||
        settings.some((word) => /^GIT_SSL_NO_VERIFY=(?!0|false|$)/.test(word))
      );
    return (
      (/^(?:ssh|scp|sftp|rsync|autossh)$/.test(name) &&
        /StrictHostKeyChecking[= ](?:no|off|accept-new)\b|UserKnownHostsFile[= ]\/dev\/null|CheckHostIP[= ]no/i.test(said)) ||
      settings.some((word) => /^(?:NODE_TLS_REJECT_UNAUTHORIZED=0|PYTHONHTTPSVERIFY=0)/.test(word)) ||
      (name === 'gh' && /pr\s+merge\b.*--admin|workflow\s+disable|repo\s+deploy-key|api\b.*\/actions\/permissions/.test(said))
    );
  }),
  ask('guard_off', 'it switches the checks of connections off for good', (name, args) => {
    const said = args.join(' ');
    return (
      (/^(?:export|declare)$/.test(name) &&
        /NODE_TLS_REJECT_UNAUTHORIZED=0|PYTHONHTTPSVERIFY=0|GIT_SSL_NO_VERIFY=|KUBECONFIG=\/tmp|CURL_INSECURE/.test(said)) ||
      (name === 'fdesetup' && /disable|remove/.test(said)) ||
      (name === 'npm' && /^set\s+strict-ssl/.test(said)) ||
      (name === 'git' && /config\b.*http\.sslverify\s+(?:false|0)/i.test(said)) ||
      (/^(?:npm|yarn|pnpm)$/.test(name) && /config\s+set\s+strict-ssl[= ]false/.test(said)) ||
      (name === 'gpg' && /--delete-(?:secret-)?keys?|--delete-secret-and-public/.test(said)) ||
      (name === 'ssh-add' && /(?:^|\s)-D\b/.test(said)) ||
      (name === 'gh' && /auth\s+(?:logout|login.*--with-token)|ruleset|api.*branches\/.*protection/.test(said)) ||
      (name === 'gsettings' && /\bset\b.*(?:lock|security|privacy)/.test(said)) ||
      (name === 'defaults' && /^(?:write|delete)\b/.test(said)) ||
      (name === 'dconf' && /^(?:write|reset|load)\b/.test(said))
    );
  }),
  ask('unknown_command', 'which command it runs is only known when it runs', (name) => /[\uE000-\uE003]/.test(name)),
  ask(
    'powershell',
    'it deletes or runs hidden code in another shell',
    (name, args) =>
      /^(?:Remove-Item|Stop-Process|Clear-Disk|Format-Volume|Invoke-Expression|iex|Stop-Computer|Restart-Computer|Clear-Content|Clear-RecycleBin|del|erase|rd)$/i.test(
        name,
      ) ||
      (/^(?:powershell|pwsh)$/i.test(name) && args.some((word) => /^-e(?:nc|ncodedcommand)?$/i.test(word))),
  ),
  ask(
    'source_unknown',
    'it runs what another machine or program writes',
    (name, args) => /^(?:source|\.)$/.test(name) && operands(args)[0]?.includes('\uE000') === true && operands(args)[0]?.length === 1,
  ),
];
const isUsualSetting = (word: string): boolean =>
  /^NODE_OPTIONS=['"]?(?:--(?:max-old-space-size|max_old_space_size|experimental-[\w-]+|no-warnings|openssl-legacy-provider|trace-[\w-]+|enable-source-maps|unhandled-rejections|inspect)\S*\s*)+$|^GIT_CONFIG\w*=\/dev\/null$|^(?:PS4|BROWSER)=[\w+: .$-]*$|^PYTHONWARNINGS=\w+|^GIT_SSH_COMMAND=ssh(?: -[a-zA-Z]\s?[\w=/.~-]*)*$|^JAVA_TOOL_OPTIONS=-[XD]/.test(
    word,
  );
