import { splitWords } from '../../../base/text.ts';
import type { HiddenPath } from './mounts.ts';

/** Below a home: keys, tokens, sessions of programs, and what they remember. Adding one is a word here. */
export const HOME_SECRETS = splitWords(`
  .ssh .aws .azure .gnupg .kube .docker .oci .password-store .pki .terraform.d .bluemix .ibmcloud .aliyun .tccli .hcloud .scw .fly
  .doctl .linode-cli .netlify .vercel .now .heroku .cloudflared .wrangler .expo .supabase .databricks .databrickscfg .snowflake .snowsql
  .dbt .kaggle .wandb .huggingface .openai .anthropic .claude .claude.json .codex .gemini .aider.conf.yml .continue .cursor .copilot .ollama
  .mozilla .thunderbird .librewolf .waterfox .zen .opera .vivaldi .var/app snap/firefox snap/chromium snap/thunderbird
  .mail .Mail Mail Maildir mail .mutt .muttrc .mbsyncrc .offlineimaprc .msmtprc .fetchmailrc .getmail .procmailrc .notmuch-config .gnus
  .irssi .weechat .znc .purple .signal .telegram .mcabber .skype .zoom .slack
  .bitcoin .litecoin .dogecoin .dash .monero .bitmonero .ethereum .electrum .electron-cash .exodus .atomic .ledger .solana .config/solana
  .near-credentials .foundry/keystores .web3 .brownie/accounts .dfx .sui .aptos .cardano
  .netrc .authinfo .authinfo.gpg .git-credentials .npmrc .yarnrc .yarnrc.yml .bunfig.toml .pypirc .pgpass .pg_service.conf .my.cnf .mylogin.cnf
  .boto .s3cfg .s3ql .mc .rclone.conf .vault-token .consul-token .nomad-token .smbcredentials .davfs2 .ovhrc .lftprc .ncftp .ftpconfig
  .config/gh .config/glab-cli .config/gcloud .config/op .config/hub .config/tea .config/lab .config/rclone .config/containers .config/helm
  .config/doctl .config/flyctl .config/heroku .config/configstore .config/netlify .config/scw .config/hcloud .config/linode-cli .config/ngrok
  .config/stripe .config/sops .config/age .config/rbw .config/Bitwarden .config/1Password .config/KeePass .config/keepassxc .config/pypoetry/auth.toml
  .config/google-chrome .config/google-chrome-beta .config/chromium .config/BraveSoftware .config/microsoft-edge .config/vivaldi .config/opera
  .config/Signal .config/Slack .config/discord .config/Element .config/teams .config/Microsoft .config/skypeforlinux .config/TelegramDesktop
  .config/evolution .config/geary .config/mutt .config/neomutt .config/aerc .config/himalaya .config/isyncrc .config/msmtp .config/mbsync
  .config/Code/User/globalStorage .config/Code/Cookies .config/Cursor .config/Windsurf .config/JetBrains .config/dconf .config/pulse
  .config/Exodus .config/atomic .config/github-copilot .config/anthropic .config/openai .config/goose .config/opencode
  .config/nix/netrc .config/composer/auth.json .config/pip/pip.conf .config/uv/credentials .config/psql .config/filezilla .config/remmina
  .filezilla .vnc .rdp .config/freerdp .config/obs-studio .config/syncthing .config/wireguard .config/nordvpn .config/protonvpn
  .local/share/keyrings .local/share/kwalletd .local/share/gnupg .local/share/evolution .local/share/geary .local/share/mail
  .local/share/TelegramDesktop .local/share/signal-cli .local/share/containers .local/share/remmina .local/share/wallets .local/share/io.wallet
  .local/share/atuin .local/share/fish/fish_history .local/share/mcfly .local/share/zsh .local/share/nushell .local/share/recently-used.xbel
  .local/share/tailscale .local/share/code-server .local/share/opencode .local/share/goose .local/share/flatpak/db .local/share/jupyter/runtime
  .local/share/uv/credentials .cache/huggingface/token .cache/huggingface/stored_tokens .cache/google-chrome .cache/chromium .cache/mozilla
  .cache/BraveSoftware .cache/microsoft-edge .cache/thunderbird .cache/evolution .cache/mutt .cache/keyring .cache/op .cache/gcloud
  .cache/JetBrains .cache/spotify .cache/keepassxc .cache/Bitwarden
  .cargo/credentials .cargo/credentials.toml .gem/credentials .local/share/gem/credentials .composer/auth.json .m2/settings.xml
  .m2/settings-security.xml .gradle/gradle.properties .ivy2/.credentials .sbt/.credentials .nuget/NuGet/NuGet.Config .hex/hex.config
  .android/adbkey .android/debug.keystore .docker-credentials .pip/pip.conf .condarc .jupyter .ipython/profile_default
  .bash_history .zsh_history .zhistory .sh_history .ksh_history .python_history .node_repl_history .psql_history .mysql_history .sqlite_history
  .rediscli_history .mongorc.js .mongodb .dbshell .irb_history .pry_history .lesshst .viminfo .vim/undo .local/state/nvim .local/state/zsh .wget-hsts
  .xsession-errors .Xauthority .ICEauthority .cups .pam_environment .rhosts .k5login .gvfs .dbus .vscode-server/data .cursor-server/data .kube-config
  .lmstudio .config/lmstudio .config/hermes .hermes`);

/** The same by the look of a name: for entries of the home, of `~/.config` and of `~/.local/share`, whatever made them. */
const SECRET_FILES =
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx?|ppk|asc|gpg|ovpn|agekey|keytab|keychain|wallet)$|^id_[a-z0-9]+$|^(?:wallet|seed|mnemonic)\b/i;
const SECRET_WORDS =
  /history|hist$|credential|passw(?:or)?d|secret|(?:^|[._-])(?:tokens?|auth|netrc|cookies?|vault|keyring|wallets?|apikeys?|api[_-]keys?)(?:[._-]|$)|^\.env(?:\.|$)|\.env$/i;
/** A folder with a plain name is somebody's work, and may well be called `token-service`. */
export const looksSecret = (name: string, kind: HiddenPath['kind'], top: 'home' | 'settings'): boolean =>
  SECRET_FILES.test(name) || (SECRET_WORDS.test(name) && (kind === 'file' || top === 'settings' || name.startsWith('.')));

/** Of a profile everything is hidden but these, which commands are told to read. */
export const PROFILE_SHOWN = ['skills', 'cache'];

/** Files of the kernel that ask for an owner and not for a right: as root they would be open from inside. */
export const KERNEL_READ_ONLY = ['/proc/sys', '/proc/bus', '/proc/fs', '/proc/irq'];
export const KERNEL_HIDDEN = splitWords(`
  /proc/acpi /proc/asound /proc/driver /proc/dynamic_debug /proc/kcore /proc/keys /proc/key-users /proc/kmsg /proc/latency_stats
  /proc/mtrr /proc/sched_debug /proc/scsi /proc/sysrq-trigger /proc/timer_list /proc/timer_stats`);

/** Of `/etc` what programs need of it for people who are not the owner: certificates, fonts, time, languages, not users or services. */
export const GUEST_SETTINGS =
  /^(?:ssl|pki|ca-certificates.*|crypto-policies|alternatives|ld\.so\..*|ld-musl.*|localtime|timezone|locale.*|nsswitch\.conf|host\.conf|hosts|gai\.conf|protocols|services|mime\.types|mailcap|magic.*|fonts|profile|profile\.d|bash\.bashrc|bashrc|bash_completion.*|inputrc|terminfo|os-release|lsb-release|\w+[_-](?:release|version)|python.*|perl|java.*|php|ruby.*|R|maven|ant.*|vim|wgetrc|ImageMagick.*|ghostscript|texmf|sgml|xml|groff|man.*|papersize|shells)$/;

/** Attended the rest of the disk is shown too, but for these top-level folders: they are given anew, or are other people's. */
export const NOT_SHOWN_AT_TOP = new Set(splitWords('proc dev sys run tmp var home root lost+found boot'));
/** Of `/var` what everyday commands look at. */
export const VAR_SHOWN = splitWords(`
  /var/lib/dpkg /var/lib/apt /var/lib/rpm /var/lib/dnf /var/lib/pacman /var/lib/apk /var/lib/python /var/lib/python3 /var/lib/gems /var/lib/ghc
  /var/lib/ca-certificates /var/lib/ca-certificates-java /var/lib/alternatives /var/lib/texmf /var/lib/flatpak/exports /var/lib/snapd/desktop
  /var/cache/apt /var/cache/fontconfig /var/cache/man /var/www /var/log`);
/** Of `/sys` what would tell root of a machine more than it needs, or is a way into the kernel. */
export const SYS_HIDDEN = splitWords(`
  /sys/kernel/debug /sys/kernel/tracing /sys/kernel/security /sys/kernel/config /sys/fs/bpf /sys/fs/pstore /sys/fs/fuse /sys/firmware
  /sys/power /sys/module /sys/hypervisor`);
