import { ok } from 'node:assert/strict';
import { test } from 'node:test';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import { beginSampleSession, createUserEntry } from '../../../src/testing/conformance/session-store-samples.ts';
import { freshPath } from './places.ts';

/** Sentences as people write them, and terms they would look for. */
const LANGUAGES: Readonly<Record<string, { readonly texts: readonly string[]; readonly terms: readonly string[] }>> = {
  English: {
    texts: [
      'Please restart the Kubernetes cluster after the deployment has finished.',
      'The database migration failed because the disk was full.',
      'I prefer concatenated strings over templates in this module.',
      'Refactor src/server/router.ts so that the handlers are async.',
      'The user wants a summary of yesterday’s meeting about pricing.',
      'Timeouts happen when the upstream proxy drops keep-alive connections.',
    ],
    terms: [
      'kubernetes',
      'deploy',
      'cat',
      'router.ts',
      'server/router',
      'the',
      'keep-alive',
      'connection',
      'migrat',
      'yesterday’s',
      'is',
      'ync',
    ],
  },
  Chinese: {
    texts: [
      '请帮我分析中欧红利基金过去三年的表现',
      '数据库迁移失败，因为磁盘空间不足。',
      '明天上午九点开会讨论新的定价方案',
      '这个函数的返回值类型不正确，需要修改',
      '我想把服务器从北京搬到上海的机房',
      '红利再投资和现金分红有什么区别？',
    ],
    terms: ['红利', '中欧红利', '数据库', '磁盘', '会', '的', '三年', '类型不正确', '上海', '现金分红', '不', '机房'],
  },
  Japanese: {
    texts: [
      'データベースの移行がディスク容量不足で失敗しました',
      '明日の会議は午前十時から始まります。',
      '東京タワーの近くで美味しいラーメン屋を探しています',
      'この関数の戻り値の型が間違っているので直してください',
      'サーバーを再起動したら直りました',
    ],
    terms: ['データ', 'ディスク', '会議', '東京', 'ラーメン', '型', 'の', 'サーバー', '直', 'ました', 'タワーの近く'],
  },
  Korean: {
    texts: [
      '데이터베이스 마이그레이션이 디스크 부족으로 실패했습니다',
      '내일 오전 회의에서 새로운 가격 정책을 논의합니다',
      '서울에서 부산까지 기차로 얼마나 걸리나요?',
      '이 함수의 반환 값이 잘못되었으니 고쳐 주세요',
      '서버를 다시 시작하니 문제가 해결되었습니다',
    ],
    terms: ['데이터', '마이그레이션', '회의', '가격 정책', '서울', '기차', '값', '서버', '습니다', '해결', '이'],
  },
  Thai: {
    texts: [
      'การย้ายฐานข้อมูลล้มเหลวเพราะพื้นที่ดิสก์เต็ม',
      'พรุ่งนี้มีประชุมเรื่องราคาใหม่ตอนเก้าโมงเช้า',
      'ช่วยหาร้านอาหารใกล้สถานีรถไฟฟ้าให้หน่อย',
      'ฟังก์ชันนี้คืนค่าผิดประเภทต้องแก้ไข',
      'รีสตาร์ทเซิร์ฟเวอร์แล้วปัญหาหายไป',
    ],
    terms: ['ฐานข้อมูล', 'ดิสก์', 'ประชุม', 'ราคา', 'ร้านอาหาร', 'รถไฟ', 'ค่า', 'เซิร์ฟเวอร์', 'ปัญหา', 'แก้', 'ก'],
  },
  Arabic: {
    texts: [
      'فشل ترحيل قاعدة البيانات لأن القرص ممتلئ',
      'اجتماع الغد حول الأسعار الجديدة في التاسعة صباحا',
      'أبحث عن مطعم قريب من محطة القطار',
      'هذه الدالة تعيد نوعا خاطئا ويجب إصلاحها',
      'أعدت تشغيل الخادم واختفت المشكلة',
    ],
    terms: ['قاعدة', 'البيانات', 'بيانات', 'القرص', 'اجتماع', 'الأسعار', 'مطعم', 'القطار', 'قطار', 'الخادم', 'تشغيل'],
  },
  mixed: {
    texts: [
      '我用GPT-4模型写Python代码',
      'Dockerコンテナを再起動してください',
      'API키를 .env 파일에 넣으세요',
      'ใช้ git commit แล้ว push ขึ้น GitHub',
      'iPhone15的価格は¥124,800です',
      'شغّل الأمر npm install في المجلد',
      'C++와 Rust를 비교해 주세요 — v2.0',
    ],
    terms: [
      'GPT-4模型',
      'gpt',
      'python代码',
      'Docker',
      'コンテナ',
      'docker コンテナ',
      'API키',
      '.env',
      'git',
      'commit',
      'github',
      'iphone15',
      '15的',
      'npm',
      'C++',
      'v2.0',
      'Rust를',
    ],
  },
};

const plain = (text: string): string => text.normalize('NFKC').toLowerCase();
const found = (all: readonly string[], term: string): string[] =>
  all
    .filter((text) =>
      plain(term)
        .split(' ')
        .every((word) => plain(text).includes(word)),
    )
    .toReversed()
    .slice(0, 10);

for (const [language, { texts, terms }] of Object.entries(LANGUAGES)) {
  test(`${language}: search finds what a look at every text finds`, async () => {
    await using store = await openSqliteStore({ path: freshPath(), durability: 'process' });
    const { claim } = await beginSampleSession(store);
    const all = Object.values(LANGUAGES).flatMap((each) => each.texts);
    const entries = await store.commit(claim, { append: all.map(createUserEntry) });
    let [expected, hit] = [0, 0];
    for (const term of [...terms, ...parts(texts)]) {
      const ids = new Set((await store.search({ text: term, limit: 10 })).map((each) => entries[each.seq - 1]));
      const should = found(all, term).map((text) => entries[all.indexOf(text)]);
      expected += should.length;
      hit += should.filter((entry) => ids.has(entry)).length;
    }
    ok(expected >= 30, `only ${expected} hits to find`);
    ok(hit / expected >= 0.95, `recall ${hit} of ${expected}`);
  });
}

/** Pieces from the middle of every text: from three letters on, and from one character on where that can be a word. */
const parts = (texts: readonly string[]): string[] =>
  texts
    .flatMap((text) => text.split(/[\s,，。？.]+/u).filter((word) => word.length >= 5))
    .flatMap((word) => [word.slice(1, 4), word.slice(2), word.slice(2, 3), word.slice(1, 3)])
    .filter((part) => part.length >= 3 || /^[\u0e00-\u0eff\u3040-\ud7a3]+$/u.test(part));
