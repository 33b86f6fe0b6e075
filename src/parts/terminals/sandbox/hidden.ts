const names = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Below a home: keys, tokens, sessions of programs, and what they remember. */
export const HOME_SECRETS = names(`
  .ssh .aws .azure .gnupg .kube .docker .oci .password-store .pki .mozilla .thunderbird .terraform.d .local/share/keyrings
  .config/gh .config/glab-cli .config/gcloud .config/op .config/hub .config/rclone .config/containers
  .config/google-chrome .config/chromium .config/BraveSoftware .config/Signal
  .netrc .git-credentials .npmrc .yarnrc.yml .pypirc .pgpass .my.cnf .boto .s3cfg .vault-token
  .cargo/credentials .cargo/credentials.toml .gem/credentials .composer/auth.json .m2/settings.xml .gradle/gradle.properties
  .bash_history .zsh_history .python_history .node_repl_history .psql_history .mysql_history .lesshst .wget-hsts`);

/** Of a profile everything is hidden but these, which commands are told to read. */
export const PROFILE_SHOWN = ['skills', 'cache'];

/** Files of the kernel that ask for an owner and not for a right: as root they would be open from inside. */
export const KERNEL_READ_ONLY = ['/proc/sys', '/proc/bus', '/proc/fs', '/proc/irq'];
export const KERNEL_HIDDEN = names(`
  /proc/acpi /proc/asound /proc/driver /proc/dynamic_debug /proc/kcore /proc/keys /proc/key-users /proc/kmsg /proc/latency_stats
  /proc/mtrr /proc/sched_debug /proc/scsi /proc/sysrq-trigger /proc/timer_list /proc/timer_stats`);

/** What of the system is shown, read-only. Everything else of a disk stays out of sight. */
export const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt', '/nix', '/gnu'];
