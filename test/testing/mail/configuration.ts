/** Ports on loopback. */
export interface MailPorts {
  readonly imap: number;
  readonly imaps: number;
  readonly lmtp: number;
  readonly auth: number;
  readonly smtp: number;
  readonly smtps: number;
  readonly policy: number;
}

/** Folders of a person are made when they are first needed; `name+Sent@…` is the folder Sent of `name@…`. */
export const dovecotConfig = (root: string, { imap, imaps, lmtp, auth, smtp }: MailPorts): string => `
protocols = imap lmtp
base_dir = ${root}/dc/run
state_dir = ${root}/dc/state
log_path = ${root}/dc/log
listen = 127.0.0.1
ssl = yes
ssl_cert = <${root}/cert.pem
ssl_key = <${root}/key.pem
disable_plaintext_auth = no
auth_mechanisms = plain login
mail_location = maildir:~/Maildir
mail_uid = mail
mail_gid = mail
first_valid_uid = 1
first_valid_gid = 1
recipient_delimiter = +
lmtp_save_to_detail_mailbox = yes
mail_max_userip_connections = 0
mail_fsync = never
auth_failure_delay = 0
submission_host = 127.0.0.1:${smtp}
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=mail gid=mail home=${root}/mail/%u
}
namespace inbox {
  inbox = yes
  mailbox Sent {
    special_use = \\Sent
    auto = create
  }
}
service imap-login {
  inet_listener imap {
    port = ${imap}
  }
  inet_listener imaps {
    port = ${imaps}
  }
}
service lmtp {
  inet_listener lmtp {
    port = ${lmtp}
  }
}
service auth {
  inet_listener {
    port = ${auth}
  }
}
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
protocol lmtp {
  mail_plugins = sieve
}
plugin {
  sieve = file:~/.dovecot.sieve
  sieve_vacation_min_period = 0
  sieve_vacation_default_period = 0
}
`;

/** What a mailbox whose name begins with `filed` sends is also put into its folder Sent, as large providers do. */
export const postfixMain = (root: string, { lmtp, auth, policy }: MailPorts): string => `
compatibility_level = 3.6
queue_directory = ${root}/pf/spool
data_directory = ${root}/pf/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
maillog_file = ${root}/pf/log
maillog_file_prefixes = ${root}
myhostname = mx.test
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mydestination =
recipient_delimiter = +
virtual_mailbox_domains = static:all
virtual_transport = lmtp:inet:127.0.0.1:${lmtp}
sender_bcc_maps = regexp:{{/^(filed[^@]*)@(.*)$$/ $$1+Sent@$$2}}
alias_maps =
alias_database =
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:${auth}
smtpd_tls_cert_file = ${root}/cert.pem
smtpd_tls_key_file = ${root}/key.pem
smtpd_tls_security_level = may
smtpd_recipient_restrictions = check_policy_service inet:127.0.0.1:${policy}, permit_sasl_authenticated, permit_mynetworks, reject
smtpd_client_connection_count_limit = 0
smtpd_error_sleep_time = 0
minimal_backoff_time = 1s
maximal_backoff_time = 1s
queue_run_delay = 1s
`;

export const postfixMaster = ({ smtp, smtps }: MailPorts): string => `
127.0.0.1:${smtp} inet n - n - - smtpd
127.0.0.1:${smtps} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
lmtp unix - - n - - lmtp
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`;
