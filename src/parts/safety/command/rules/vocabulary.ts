/** Programs of every day: whoever names one of these is judged by the rules for it, not for being unknown. */
const SHELL = `
  : . [ [[ alias bg bind break builtin caller case cd command compgen complete compopt continue coproc declare dirs disown echo enable
  eval exec exit export false fc fg for function getopts hash help history if jobs kill let local logout mapfile popd printf pushd pwd
  read readarray readonly return select set shift shopt source suspend test time times trap true type typeset ulimit umask unalias unset
  until wait while bash sh zsh dash ksh fish tcsh csh nu pwsh powershell env
`;
const FILES = `
  ls ll la l dir vdir cp mv rm rmdir mkdir ln touch cat tac head tail less more most bat batcat stat file tree exa eza lsd find fd fdfind
  locate mlocate plocate updatedb du df ncdu dust duf dua gdu realpath readlink basename dirname mktemp install chmod chown chgrp umask
  getfacl setfacl lsattr chattr dd truncate fallocate split csplit shred sync md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum
  shasum b2sum b3sum cksum sum xxhsum cmp diff diff3 sdiff colordiff delta difft icdiff patch vimdiff wdiff tar gtar bsdtar zip unzip
  zipinfo gzip gunzip zcat zless zgrep bzip2 bunzip2 bzcat xz unxz xzcat zstd unzstd zstdcat lz4 7z 7za 7zr rar unrar cpio pax ar unar
  lsar rename mmv vidir rsync unison trash trash-put trash-list rimraf unlink stow fdupes mc ranger nnn lf yazi broot zoxide z j autojump
  fasd xdg-open open start explorer sponge pv
`;
const TEXT = `
  grep egrep fgrep zgrep rg ag ack ugrep pcregrep sed gsed awk gawk mawk nawk tr cut paste join sort uniq comm wc nl fold fmt pr column
  expand unexpand rev tac shuf seq yes jot strings od hexdump xxd base32 base64 basenc iconv uconv dos2unix unix2dos recode jq gojq yq xq
  tomlq dasel fx jless gron jo jc miller mlr xsv qsv csvkit csvcut csvlook csvstat csvgrep csvsql csvjson in2csv xmllint xmlstarlet
  xsltproc tidy pup htmlq hxselect pandoc asciidoctor markdown mdcat glow sd perl tee look aspell hunspell languagetool vale codespell
  cspell typos proselint textlint cowsay figlet lolcat fortune banner toilet sl boxes espeak say m4 envsubst gettext msgfmt xgettext
  msgmerge pygmentize highlight source-highlight ed ex vi vim nvim nano emacs micro helix hx kak code codium subl cursor zed idea
`;
const SYSTEM = `
  pkill killall skill xkill ps top htop btop atop glances iotop iftop nethogs pgrep pidof pstree pmap pwdx lsof fuser free vmstat iostat mpstat sar uptime w who
  whoami id groups users last lastlog finger logname tty uname arch nproc lscpu lsmem lsblk lspci lsusb lshw dmidecode inxi hwinfo
  hostnamectl hostname dnsdomainname date cal ncal timedatectl locale localectl getconf sysctl dmesg journalctl loginctl systemd-analyze
  systemd-cgtop systemd-detect-virt systemd-resolve resolvectl blkid findmnt mount umount lsmod modinfo getent printenv tput stty clear
  reset tset infocmp man info apropos whatis whereis which tldr cheat help getopt logger notify-send screen tmux zellij byobu nice renice
  ionice chrt taskset nohup setsid timeout gtimeout watch sleep usleep crontab bc dc expr factor units numfmt uuidgen mcookie pwgen xclip
  xsel wl-copy wl-paste pbcopy pbpaste ldd ldconfig nm objdump readelf size strip objcopy addr2line c++filt strace ltrace perf gdb lldb
  valgrind bpftrace ipcs numactl ulimit sensors acpi upower vainfo nvidia-smi rocm-smi glxinfo vulkaninfo xrandr xdpyinfo fc-list fc-cache
  neofetch fastfetch screenfetch script scriptreplay expect sudo doas su runuser pkexec lesskey column gum fzf sk peco dialog whiptail
  zenity pinentry watchexec entr inotifywait fswatch parallel xargs gxargs moreutils ts chronic ifne vipe zrun combine isutf8 errno flock
  pee mispipe stdbuf unbuffer direnv dotenv hyperfine
`;
const NETWORK = `
  awslocal curl wget http https xh httpie aria2c axel lynx w3m links elinks ping ping6 fping mtr traceroute tracepath dig host nslookup drill kdig
  whois ip ss netstat ifconfig arp route nc ncat netcat socat telnet nmap ssh scp sftp ssh-add ssh-agent ssh-keygen ssh-keyscan mosh
  autossh ftp lftp openssl gpg gpg2 age age-keygen minisign signify websocat wscat grpcurl grpc_cli evans hey ab wrk wrk2 siege vegeta k6
  locust artillery oha bombardier autocannon iperf iperf3 speedtest speedtest-cli tcpdump tshark ngrep httpstat doggo dog getmail newman
  hurl bruno posting curlie youtube-dl yt-dlp gallery-dl whatweb sslscan testssl.sh testssl mkcert cfssl
`;
export const EVERYDAY: ReadonlySet<string> = new Set([SHELL, FILES, TEXT, SYSTEM, NETWORK].join(' ').split(/\s+/));
