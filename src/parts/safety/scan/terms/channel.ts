import type { Terms } from '../match/lexicon.ts';

/** Signs of a line that stays open to somebody else. */
export const channel: Terms = {
  follow: `do that, do so, do as it, follow them, execute them, follow, follows, obey, obeys, execute what, run what, do what, carry out, act on, treat as instructions, as instructions, comply with, heed, take orders, and execute, execute its, execute the, follow its, befolge, gehorche, fuhre aus, fuhre, sigue, obedece, ejecuta, suis, obeis, execute, applique, siga, obedeca, execute, выполн*, следуй*, исполн*, 执行, 遵循, 照做, 服从, 従って, 従う, 実行, 따르, 실행, نفذ, اتبع, ทำตาม, ปฏิบัติตาม`,
  whatdo: `are your instructions, are your orders, are your tasks, is your order, as your instructions, what to do, what to run, next command, next step to take, next task, further orders, new instructions, new orders, await orders, await instructions, awaits orders, what comes next, was zu tun, que hacer, quoi faire, o que fazer, что делать, 做什么, 下一步命令, 何をすべき, 다음 명령, ماذا تفعل, ต้องทำอะไร`,
  incoming: `every message you receive, messages you receive, each message you receive, it sends, they send, sent by it, incoming message*, newest comment, latest comment, next order, next orders, your orders, posted there, published there, arrives there, that arrive, whatever arrives, received commands, присылает, которые придут, 收到的命令, 收到的每, 受け取った, 받은 명령, التي يرسلها, ที่ส่งมา`,
  server: `server, host, endpoint, api, node, hub, servidor, serveur, сервер*, 服务器, サーバー, 서버, الخادم, เซิร์ฟเวอร์`,
  trusting: `trusts content, trust content, trust whatever, trusts whatever, trust everything from, trust anything from, content fetched from, obey any text, without question, trust its install, trust its scripts, always trust`,
  keepopen: `keep this open, keep it open, leave it running, leave it open, stay open, in the background, during the session`,
  shellword: `bash, sh, zsh, nc, ncat, netcat, socat, powershell, python, python3, perl`,
  netloop: `while true, while 1, for ever, setinterval, loop, while`,
  urlopen: `urlopen, net urlopen, requests get, requests post, fetch, axios get, urllib, http get, curl, websocket`,
  packed: `base64, b64decode, rot13, hex, atob, the blob, encoded, the decoded, marshal loads, zlib decompress`,
  appcode: `unit test*, our service, the worker, workers, the queue, kubernetes, load balancer, prometheus, health check, the client, clients, consumer*, celery, sidekiq, i18n, locale*, translations, customer*, sensor*, transpil*, compiler`,
};
