import type { Terms } from '../match/lexicon.ts';

/** Where things are carried to. */
export const places: Terms = {
  pasteplace: `pastebin, gist, webhook, public bucket, s3 bucket, discord, telegram, slack channel, external server, remote server, our server, the collector, ftp server, dns`,
  pubplace: `release page, public bucket, public repository, public gist, public issue, public channel, as an asset, public file`,
  addto: `append*, log, write, copy, include, attach*, embed*, encode*, put, add, save, store, paste`,
  publish: `publish*, upload*, attach*, commit, push, expose`,
  inquery: `query parameter*, query string, url parameter*, as a parameter, markdown image*, image address, image url, path segment, subdomain*, tracking pixel, in the address, in the url, to the url, als parameter, parametro de consulta, parametre d url, parametro da url`,
  public: `is public, not a secret, only counts`,
  header: `authorization, bearer, x api key, header`,
};

/** Ways of showing that are meant for others to see. */
export const showing: Terms = {
  sinktight: `every reply, each reply, top of every, top of each, in the report, in your report, in your summary, in the summary, in your first message, their contents in, list their contents, repeat*, in your answer, first answer, in the answer, in your reply, in the reply, in chat, in the chat, to the chat, paste*, post*, send, upload*, publish*, include the output, include them, include it, public, pull request, pull request text, issue, readme, commit, write them to, in your response, show me, into the conversation, in every answer, in each answer, comment,
    antwort, in deiner antwort, einfugen, offentlich*, respuesta, en tu respuesta, publico, pega, envia*, incluy*, dans ta reponse, reponse, public, colle, envoie*, resposta, na sua resposta, cole, publico, envie, inclua, в ответ*, вставь*, отправ*, опублик*, 回答中, 回复中, 写入, 写进, 发送, 公开, 贴到, 输出到, 返答に, 回答に, 貼り付け, 書き込, 公開, 含めて, 送信, 답변에, 붙여, 포함, 공개, 보내, 전송, في ردك, في الرد, أرسل, انشر, الصق, ضع, ในคำตอบ, แนบ, ส่ง, เผยแพร่, ใส่ใน`,
  sinkdoc: `写进文档, 写入文档, into the docs, into the readme, into the public, to the public bucket, in the public, to a public, dans un fichier public, qui est public, en un archivo publico, em um arquivo publico, в публичн*, in eine offentliche`,
  eachreply: `every reply, each reply, every answer, each answer, every response, each response, first answer, first reply, in your answer, in your reply`,
  replyto: `in your answer, in your reply, in the reply, in the answer, in your response, in deiner antwort, en tu respuesta, dans ta reponse, na sua resposta, в ответ*, 回答里, 回答中, 回复中, 返答に, 回答に, 답변에, في ردك, في الرد, ในคำตอบ`,
  refused: `refused, denied, blocked, forbidden, is never read, never read, not tracked, masked, redact*, is enough, no need to`,
  each: `at the start of each, every answer, each answer, every reply, each chat, every chat, whenever, always, without being asked, at the beginning, on request, to anyone, sempre que, siempre que, chaque fois, jedes mal, immer wenn, каждый раз, 每次, 毎回, 매번, في كل, ทุกครั้ง, commit it, and commit`,
};
